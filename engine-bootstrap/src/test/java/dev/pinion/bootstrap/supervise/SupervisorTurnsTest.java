package dev.pinion.bootstrap.supervise;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.supervise.ReplicaStatus.CircuitBreaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Decisions of a supervisor, turn by turn, without processes and without waiting. */
class SupervisorTurnsTest {
  /** A queueing delay at which no replica is added or removed. */
  private static final long BUSY_MICROS =
      (ScalingSettings.ADD_DELAY_MICROS + ScalingSettings.REMOVE_DELAY_MICROS) / 2;

  @TempDir private Path crashes;

  @Test
  void shouldStartEveryPlaceWithSettingsOfItsOwn() {
    FakeReplicas replicas = FakeReplicas.serving(3, crashes);

    assertEquals(1, replicas.starts(0));
    assertEquals(1, replicas.starts(1));
    assertEquals(1, replicas.starts(2));
    assertEquals(1, replicas.ready.size());
    assertEquals(
        List.of(0, 1, 2),
        replicas.ready.getFirst().stream().map(SupervisorListener.ServingReplica::index).toList());
  }

  @Test
  void shouldRestartOnlyTheOneThatDied() {
    FakeReplicas replicas = FakeReplicas.serving(3, crashes);

    replicas.last(1).exit(3);

    assertEquals(List.of(1L, 2L, 1L), Stream.of(0, 1, 2).map(replicas::starts).toList());
    assertEquals(ReplicaState.READY, replicas.state(0));
    assertEquals(ReplicaState.STARTING, replicas.state(1));
    assertEquals(1, replicas.ready.size(), "ready is told once");
  }

  @Test
  void shouldTellEveryoneWhoServesWheneverThatChanges() {
    FakeReplicas replicas = FakeReplicas.serving(3, crashes);
    FakeReplicas.Child first = replicas.last(0);

    replicas.last(1).exit(3);
    replicas.last(1).ready();

    assertEquals(
        List.of(Set.of(0), Set.of(0, 1), Set.of(0, 1, 2), Set.of(0, 2), Set.of(0, 1, 2)),
        replicas.serving);
    assertEquals(
        List.of("@peers 0", "@peers 0 1", "@peers 0 1 2", "@peers 0 2", "@peers 0 1 2"),
        first.heard);
    assertEquals(List.of("@peers 0 1 2"), replicas.last(1).heard);
  }

  // Field fault 1: accepted instances are recovered, however long that takes.
  @Test
  void shouldGiveAStartTheTimeThatItsRecoveryTakes() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    replicas.recoveryTime = CompletableFuture.completedFuture(Duration.ofMinutes(5));
    replicas.last(0).exit(3);

    replicas.pass(Duration.ofMinutes(5));
    assertEquals(2, replicas.starts(0));
    assertEquals(ReplicaState.STARTING, replicas.state(0));

    replicas.pass(Duration.ofMinutes(2));
    assertTrue(replicas.log().contains("did not serve within PT6M"), replicas.log());
  }

  // A warm-up may take a minute by its limit; a replica was killed for it after 60 s.
  @Test
  void shouldGiveAStartTheTimeThatItsWarmUpMayTake() {
    FakeReplicas replicas = FakeReplicas.warmingUp(Duration.ofMinutes(1), crashes);

    replicas.pass(Duration.ofSeconds(119));
    assertEquals(1, replicas.starts(0));
    assertEquals(ReplicaState.STARTING, replicas.state(0));

    replicas.pass(Duration.ofSeconds(2));
    assertTrue(replicas.log().contains("did not serve within PT2M"), replicas.log());
  }

  // Field fault 20: a disk that hangs blocks no supervision, nor does it end a replica.
  @Test
  void shouldGoOnWhileNobodyKnowsHowLongARecoveryTakes() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.recoveryTime = new CompletableFuture<>();
    replicas.last(0).exit(3);
    replicas.last(1).silence();
    replicas.pass(Duration.ofMinutes(10));
    assertEquals(ReplicaState.STARTING, replicas.state(0));
    assertEquals(2, replicas.starts(0));
    assertTrue(replicas.starts(1) > 1, "the one that is silent is started again");

    replicas.recoveryTime.complete(Duration.ofMinutes(11));
    replicas.pass(Duration.ofSeconds(90));
    assertEquals(2, replicas.starts(0));
    replicas.pass(Duration.ofMinutes(1));
    assertTrue(replicas.log().contains("did not serve within PT12M"), replicas.log());
  }

  @Test
  void shouldKeepTheLastBeatForThePicture() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);

    replicas.last(0).beat(42);

    assertEquals(new Heartbeat(42, 1, 2, 0, false, ""), replicas.picture(0).lastBeat());
  }

  @Test
  void shouldBreakTheOneThatCrashesAgainAndAgainWhileOthersServe() {
    // given
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);

    // when
    crashLoop(replicas, 1);

    // then
    assertEquals(ReplicaState.BROKEN, replicas.state(1));
    assertEquals(CircuitBreaker.OPEN, replicas.picture(1).breaker());
    assertEquals(ReplicaState.READY, replicas.state(0));
    assertTrue(replicas.log().contains("(--set): next try in 60 s"), replicas.log());
    long starts = replicas.starts(1);
    replicas.pass(RestartPolicy.RETRY.minusSeconds(1));
    assertEquals(starts, replicas.starts(1), "nothing is started while the breaker is open");
  }

  @Test
  void shouldTryABrokenOneAgainAndBreakItAtItsFirstDeathOnTrial() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    crashLoop(replicas, 1);

    replicas.pass(RestartPolicy.RETRY);
    assertEquals(CircuitBreaker.HALF_OPEN, replicas.picture(1).breaker());
    replicas.last(1).ready();
    replicas.last(1).exit(3);

    assertEquals(ReplicaState.BROKEN, replicas.state(1));
    assertTrue(replicas.log().contains("while on trial: its heap is full"), replicas.log());
  }

  @Test
  void shouldCloseTheBreakerOnceABrokenOneLivedForAMinute() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    crashLoop(replicas, 1);
    replicas.pass(RestartPolicy.RETRY);
    replicas.last(1).ready();

    replicas.pass(FakeReplicas.WINDOW);

    assertEquals(CircuitBreaker.CLOSED, replicas.picture(1).breaker());
    replicas.last(1).exit(3);
    assertEquals(ReplicaState.STARTING, replicas.state(1));
  }

  @Test
  void shouldTryABrokenOneAgainOnDemand() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    crashLoop(replicas, 1);

    assertTrue(replicas.restart(1).isPresent());
    replicas.pass(Duration.ofMillis(200));

    assertEquals(ReplicaState.STARTING, replicas.state(1));
  }

  // Field fault 23
  @Test
  void shouldTryForEverEverLaterWhenEveryReplicaIsBroken() {
    // given
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    crashLoop(replicas, 0);
    assertTrue(replicas.log().contains("next try in 8 s"), replicas.log());

    // when each try dies at once
    for (int seconds : List.of(8, 16, 32, 60, 60, 60)) {
      long starts = replicas.starts(0);
      replicas.pass(Duration.ofSeconds(seconds).minusMillis(200));
      assertEquals(starts, replicas.starts(0), "started before " + seconds + " s");
      replicas.pass(Duration.ofMillis(400));
      assertEquals(starts + 1, replicas.starts(0), "not started after " + seconds + " s");
      replicas.last(0).exit(3);
    }

    // then it starts again with one that lives for some time
    replicas.pass(Duration.ofSeconds(61));
    replicas.last(0).ready();
    replicas.pass(FakeReplicas.WINDOW);
    crashLoop(replicas, 0);
    String log = replicas.log();
    assertTrue(log.substring(log.lastIndexOf("next try")).startsWith("next try in 8 s"), log);
    assertFalse(replicas.supervisor.ended());
  }

  // Field fault 23
  @Test
  void shouldEndWhenNoReplicaHasEverServedAndEachSaysWhy() throws InterruptedException {
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(2, 2), crashes);
    replicas.supervisor.turn();

    for (int i = 0; i < 2; i++) {
      replicas.last(i).says(ReplicaProtocol.REFUSED + " expected a free port, found it taken");
      replicas.last(i).exit(ReplicaProtocol.EXIT_CANNOT_START);
    }

    assertTrue(replicas.supervisor.ended());
    assertEquals(1, replicas.supervisor.run());
    assertTrue(
        replicas.log().contains("expected a free port, found it taken: giving up"), replicas.log());
  }

  // Field fault 23
  @Test
  void shouldGoOnTryingOneThatServedBeforeItCouldNotStart() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);

    for (int i = 0; i < RestartPolicy.MAX_DEATHS; i++) {
      replicas.last(0).says(ReplicaProtocol.REFUSED + " expected a disk, found none");
      replicas.last(0).exit(ReplicaProtocol.EXIT_CANNOT_START);
      replicas.pass(Duration.ofSeconds(4).plusMillis(200));
    }

    assertFalse(replicas.supervisor.ended());
    assertTrue(
        replicas.log().contains("it cannot start: expected a disk, found none: next try in 8 s"),
        replicas.log());
  }

  // Field fault 21
  @Test
  void shouldTellWhyNothingServesAndWhatIsTried() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    assertEquals("1 of 1 replicas serve", replicas.check("replicas").detail());

    crashLoop(replicas, 0);

    HealthCheck check = replicas.check("replicas");
    assertFalse(check.ready());
    assertTrue(check.detail().startsWith("0 of 1 replicas serve; replica 0 does not serve: "));
    assertTrue(check.detail().contains("its heap is full"), check.detail());
    assertTrue(check.detail().matches(".*; next try in [78] s"), check.detail());
    replicas.pass(Duration.ofSeconds(9));
    assertEquals(
        "0 of 1 replicas serve; replica 0 (process 105) starts",
        replicas.check("replicas").detail());
  }

  // Field fault 21
  @Test
  void shouldNotBeReadyOnceEveryReplicaThatServesLacksRoom() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.last(0).says(new Heartbeat(1, 0, 0, 0, true, "").line());
    assertTrue(replicas.check("disk").ready(), "the other one takes starts");

    replicas.last(1).says(new Heartbeat(1, 0, 0, 0, true, "").line());

    HealthCheck full = replicas.check("disk");
    assertFalse(full.ready());
    assertTrue(full.detail().contains("replicas [0, 1]: starts there are answered 507"));
    replicas.last(1).says(new Heartbeat(1, 0, 0, 0, false, "").line());
    assertTrue(replicas.check("disk").ready());
  }

  // Field fault 21
  @Test
  void shouldNotBeReadyOnceEveryReplicaThatServesRefusesStartsForALimit() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.last(0).says(new Heartbeat(1, 0, 0, 0, false, "kernel.maxInstances").line());
    assertTrue(replicas.check("limits").ready(), "the other one takes starts");

    replicas.last(1).says(new Heartbeat(1, 0, 0, 0, false, "kernel.maxHeldBytes").line());

    HealthCheck limits = replicas.check("limits");
    assertFalse(limits.ready());
    assertTrue(limits.required());
    assertTrue(
        limits.detail().contains("[0, 1] have reached kernel.maxInstances, kernel.maxHeldBytes:"),
        limits.detail());
    replicas.last(1).says(new Heartbeat(1, 0, 0, 0, false, "").line());
    assertTrue(replicas.check("limits").ready());
  }

  // Field fault 21
  @Test
  void shouldTellReplicasHowTheOthersAre() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    HealthCheck broker = new HealthCheck("broker", false, false, "it starts, and answers soon");
    replicas.supervisor.addChecks(() -> List.of(broker));

    replicas.pass(Duration.ofSeconds(2));

    List<HealthCheck> told = replicas.last(0).checks.stream().map(HealthCheck::parse).toList();
    assertEquals(2, told.size(), "told once, as nothing changes: " + told);
    assertEquals(broker, told.get(1));
  }

  // Field fault 19
  @Test
  void shouldEndWhenAReplicaFindsOtherData() throws InterruptedException {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.last(1).exit(137);
    replicas.pass(Duration.ofMillis(200));

    replicas.last(1).says(ReplicaProtocol.REFUSED + " expected data folder A, found B");
    replicas.last(1).exit(ReplicaProtocol.EXIT_DATA_LOST);
    replicas.supervisor.turn();

    assertTrue(replicas.supervisor.ended(), "the other one is killed");
    assertEquals(1, replicas.supervisor.run());
    assertTrue(replicas.log().contains("expected data folder A, found B"), replicas.log());
  }

  // Field fault 19: a process that continues may write into the wrong folder
  @Test
  void shouldKillAllAtOnceWhenTheDataIsLost() throws InterruptedException {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.supervisor.stop();
    replicas.supervisor.turn();
    assertFalse(replicas.supervisor.ended(), "work is under way");

    replicas.supervisor.dataLost("expected data folder A, found none");
    replicas.supervisor.turn();

    assertTrue(replicas.supervisor.ended());
    assertEquals(1, replicas.supervisor.run());
    assertTrue(replicas.log().contains("expected data folder A, found none"), replicas.log());
    assertTrue(
        replicas.events.latest(100).stream()
            .noneMatch(each -> each.kind() == SupervisionEvents.EventKind.DIED));
  }

  // Field fault 21
  @Test
  void shouldTellAReplicaThatIsBackWithinASecond() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    HealthCheck broker = new HealthCheck("broker", false, false, "it starts, and answers soon");
    replicas.supervisor.addChecks(() -> List.of(broker));
    replicas.pass(Duration.ofSeconds(2));
    assertTrue(replicas.last(0).checks.contains(broker.line()));

    replicas.last(0).exit(3);
    replicas.last(0).ready();
    assertEquals(2, replicas.starts(0));
    replicas.pass(Duration.ofSeconds(2));

    assertTrue(replicas.last(0).checks.contains(broker.line()), "the new process knows too");
  }

  // Field fault 23
  @Test
  void shouldStopOnceHoweverOftenItIsHungUpOn() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);

    replicas.supervisor.hangUp();
    replicas.supervisor.hangUp();
    replicas.supervisor.turn();

    assertEquals(
        List.of(ReplicaProtocol.DRAIN),
        replicas.heard(0).subList(replicas.heard(0).size() - 1, replicas.heard(0).size()));
    assertFalse(replicas.log().contains("asked to stop again"), replicas.log());
  }

  @Test
  void shouldServeWithThoseThatCanStart() {
    // given
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(2, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(1).ready();
    assertEquals(0, replicas.ready.size());

    // when
    replicas.last(0).says(ReplicaProtocol.REFUSED + " expected a folder, found none");
    replicas.last(0).exit(ReplicaProtocol.EXIT_CANNOT_START);

    // then
    assertEquals(ReplicaState.BROKEN, replicas.state(0));
    assertEquals(
        List.of(new SupervisorListener.ServingReplica(1, 0, 101)), replicas.ready.getFirst());
    assertTrue(
        replicas.log().contains("replica 0 cannot start: expected a folder, found none: next try"),
        replicas.log());
  }

  @Test
  void shouldKillOnlyTheOneThatIsSilent() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    replicas.last(1).silence();

    replicas.pass(Duration.ofSeconds(6));

    assertEquals(2, replicas.starts(1));
    assertEquals(1, replicas.starts(0));
    assertTrue(replicas.log().contains("was silent for PT5S and is killed"), replicas.log());
  }

  @Test
  void shouldKillNobodyAfterItStoodStillItself() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);

    replicas.standStill(Duration.ofMinutes(10));
    replicas.pass(Duration.ofSeconds(6));

    assertEquals(2, replicas.started.size());
    assertFalse(replicas.log().contains("killed"), replicas.log());
  }

  @Test
  void shouldKeepEvidenceOfOneThatIsKilledBecauseItDoesNotFinish() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    long pid = replicas.last(0).pid();
    assertTrue(replicas.restart(0).isPresent());

    replicas.pass(Duration.ofSeconds(25).plus(SupervisorSettings.SHUTDOWN_GRACE).plusSeconds(1));

    String report = onlyReport();
    assertTrue(
        report.contains(
            "ended: ended with status 137 (signal 9), killed because it did not finish within"
                + " PT25S\n"),
        report);
    assertTrue(report.endsWith("last words of " + pid + "\n"), report);
  }

  @Test
  void shouldKeepEvidenceOfOneThatCrashesWhileItFinishes() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    assertTrue(replicas.restart(0).isPresent());

    replicas.last(0).exit(139);

    assertTrue(onlyReport().contains("ended: ended with status 139 (signal 11)\n"));
    assertEquals(2, replicas.starts(0), "it comes back all the same");
  }

  @Test
  void shouldReportNoDeathWhereEverybodyIsKilledOnDemand() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);

    replicas.supervisor.stop();
    replicas.supervisor.stop();
    replicas.supervisor.turn();

    assertTrue(replicas.supervisor.ended());
    try (Stream<Path> files = Files.list(crashes)) {
      assertEquals(0, files.count());
    }
  }

  private String onlyReport() throws IOException {
    try (Stream<Path> files = Files.list(crashes)) {
      List<Path> all = files.toList();
      assertEquals(1, all.size());
      return Files.readString(all.getFirst());
    }
  }

  @Test
  void shouldBringUpASpareForABrokenOneUntilThatServesAgain() {
    // given
    FakeReplicas replicas = new FakeReplicas(3, ScalingSettings.between(2, 3), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    replicas.last(1).ready();

    // when
    crashLoop(replicas, 1);
    replicas.supervisor.turn();

    // then
    assertEquals(ReplicaState.BROKEN, replicas.state(1));
    assertEquals(ReplicaState.STARTING, replicas.state(2));
    assertTrue(replicas.log().contains("replica 2 is added: replica 1 is broken"), replicas.log());
    FakeReplicas.Child spare = replicas.last(2);
    spare.ready();
    replicas.pass(RestartPolicy.RETRY, BUSY_MICROS);
    replicas.last(1).ready();
    replicas.pass(FakeReplicas.WINDOW.minusSeconds(1), BUSY_MICROS);
    assertFalse(spare.heard.contains(ReplicaProtocol.DRAIN), "the other one is on trial");
    replicas.pass(Duration.ofSeconds(2), BUSY_MICROS);
    assertTrue(spare.heard.contains(ReplicaProtocol.DRAIN));
    spare.exit(0);
    assertEquals(
        List.of(ReplicaState.READY, ReplicaState.READY, ReplicaState.STOPPED),
        Stream.of(0, 1, 2).map(replicas::state).toList());
    assertEquals(1, replicas.starts(2));
  }

  @Test
  void shouldTakeNoSpareAwayWhileReplicasAreRestarted() {
    // given a spare that is no longer needed in a second
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(1, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    crashLoop(replicas, 0);
    replicas.supervisor.turn();
    replicas.last(1).ready();
    replicas.pass(RestartPolicy.RETRY, BUSY_MICROS);
    replicas.last(0).ready();
    replicas.pass(FakeReplicas.WINDOW.minusSeconds(1), BUSY_MICROS);

    // when
    assertTrue(replicas.restart(1).isPresent());
    replicas.pass(Duration.ofSeconds(2), BUSY_MICROS);
    replicas.last(1).exit(0);
    replicas.last(1).ready();
    replicas.supervisor.turn();

    // then
    assertEquals(RollingRestartStatus.RestartState.DONE, restart(replicas).state());
    assertEquals(2, replicas.starts(1));
    assertTrue(replicas.last(1).heard.contains(ReplicaProtocol.DRAIN), "afterwards it goes");
  }

  @Test
  void shouldBringUpNoSpareWhileEnoughServe() {
    FakeReplicas replicas = new FakeReplicas(3, ScalingSettings.between(1, 3), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    replicas.pass(ScalingSettings.ADD_AFTER.plusSeconds(2), ScalingSettings.ADD_DELAY_MICROS);
    replicas.last(1).ready();

    crashLoop(replicas, 1);
    replicas.supervisor.turn();

    assertEquals(ReplicaState.BROKEN, replicas.state(1));
    assertEquals(ReplicaState.STOPPED, replicas.state(2));
  }

  @Test
  void shouldTrySparesBesideABrokenOne() {
    // given
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(1, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();

    // when
    crashLoop(replicas, 0);
    replicas.supervisor.turn();

    // then
    assertFalse(replicas.supervisor.ended());
    assertEquals(ReplicaState.STARTING, replicas.state(1));
    crashLoop(replicas, 1);
    assertFalse(replicas.supervisor.ended());
    assertTrue(replicas.log().contains("next try in 8 s"), replicas.log());
  }

  @Test
  void shouldKeepEvidenceOfEachDeath() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    long pid = replicas.last(1).pid();

    replicas.last(1).exit(139);

    try (Stream<Path> files = Files.list(crashes)) {
      List<Path> all = files.toList();
      assertEquals(1, all.size());
      String report = Files.readString(all.getFirst());
      assertTrue(report.contains("ended: ended with status 139 (signal 11)\n"), report);
      assertTrue(report.endsWith("last words of " + pid + "\n"), report);
    }
    assertEquals(139, Objects.requireNonNull(replicas.picture(1).lastExit()).status());
  }

  // Field fault 20: the data disk hangs
  @Test
  @Timeout(60)
  void shouldSuperviseWhileAReportHangs() throws Exception {
    CountDownLatch diskIsBack = new CountDownLatch(1);
    CrashReporter.Store disk =
        crashReport -> {
          assertDoesNotThrow(() -> diskIsBack.await());
          return Path.of("replica-" + crashReport.index());
        };
    FakeReplicas replicas =
        new FakeReplicas(2, ScalingSettings.between(2, 2), disk, CrashReporter.oneThread());
    replicas.supervisor.turn();
    replicas.last(0).ready();
    replicas.last(1).ready();

    // when more die than reports may wait beside the one that hangs
    int deaths = CrashReporter.MAX_WAITING + 2;
    for (int i = 0; i < deaths; i++) {
      assertEquals(i + 1, replicas.starts(1), "started again");
      replicas.last(1).ready();
      replicas.pass(FakeReplicas.WINDOW.plusSeconds(1), BUSY_MICROS);
      replicas.last(1).exit(139);
      replicas.pass(Duration.ofSeconds(1), BUSY_MICROS);
    }

    // then
    assertEquals(1, count(replicas, "is dropped: 20 others wait"), replicas.log());
    assertEquals(0, count(replicas, "see replica-1"));
    diskIsBack.countDown();
    await().until(() -> count(replicas, "see replica-1") == deaths - 1);
    replicas.reporter.close();
  }

  private static long count(FakeReplicas replicas, String part) {
    return replicas.events.latest(Integer.MAX_VALUE).stream()
        .filter(each -> each.text().contains(part))
        .count();
  }

  @Test
  void shouldRestartAllOneAtATime() {
    // given
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    FakeReplicas.Child first = replicas.last(0);
    FakeReplicas.Child second = replicas.last(1);

    // when
    RollingRestartStatus asked = replicas.restart(0, 1).orElseThrow();

    // then
    assertEquals(RollingRestartStatus.RestartState.RUNNING, asked.state());
    assertEquals(
        List.of("@peers 1", ReplicaProtocol.DRAIN), first.heard.subList(2, 4), "peers hear first");
    first.exit(0);
    replicas.pass(Duration.ofSeconds(10));
    assertFalse(second.heard.contains(ReplicaProtocol.DRAIN), "the first is not back yet");
    replicas.last(0).ready();
    replicas.supervisor.turn();
    assertTrue(second.heard.contains(ReplicaProtocol.DRAIN));
    second.exit(0);
    replicas.last(1).ready();
    replicas.supervisor.turn();
    assertEquals(RollingRestartStatus.RestartState.DONE, restart(replicas).state());
    assertEquals(List.of(0, 1), restart(replicas).done());
    assertEquals(1, replicas.picture(0).restarts());
    assertTrue(replicas.log().contains("restart 1 of [0, 1] is done"), replicas.log());
  }

  @Test
  void shouldRefuseASecondRestartWhileOneRuns() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    assertTrue(replicas.restart(0, 1).isPresent());

    assertEquals(Optional.empty(), replicas.restart(1));
  }

  @Test
  void shouldReviveNoneThatIsBeingRemoved() {
    // given
    FakeReplicas replicas = new FakeReplicas(2, ScalingSettings.between(1, 2), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    assertTrue(replicas.fix(2));
    replicas.pass(Duration.ofSeconds(2));
    replicas.last(1).ready();
    assertTrue(replicas.fix(1));
    replicas.pass(Duration.ofSeconds(2));
    assertEquals(ReplicaState.DRAINING, replicas.state(1));

    // when
    RollingRestartStatus asked = replicas.restart(0, 1).orElseThrow();
    replicas.last(1).exit(0);

    // then
    assertEquals(ReplicaState.STOPPED, replicas.state(1));
    assertEquals(List.of(0), asked.left());
    replicas.last(0).exit(0);
    replicas.last(0).ready();
    replicas.supervisor.turn();
    assertEquals(RollingRestartStatus.RestartState.DONE, restart(replicas).state());
    assertEquals(1, replicas.starts(1));
  }

  @Test
  void shouldLeaveTheOthersAloneWhenOneDoesNotComeBack() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    assertTrue(replicas.restart(0, 1).isPresent());

    replicas.last(0).exit(0);
    replicas.last(0).exit(3);
    replicas.pass(Duration.ofSeconds(5));

    assertEquals(RollingRestartStatus.RestartState.FAILED, restart(replicas).state());
    assertEquals(1, replicas.starts(1));
    assertTrue(
        replicas
            .log()
            .contains(
                "replica 0 did not come back at its first start; restarted are [], left alone are"
                    + " [1]"),
        replicas.log());
    assertTrue(replicas.restart(1).isPresent(), "another restart may be asked for");
  }

  @Test
  void shouldKillWhatDoesNotFinishAndGoOnRestarting() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    assertTrue(replicas.restart(0).isPresent());

    replicas.pass(Duration.ofSeconds(25).plus(SupervisorSettings.SHUTDOWN_GRACE).plusSeconds(1));
    replicas.last(0).ready();
    replicas.supervisor.turn();

    assertEquals(2, replicas.starts(0));
    assertEquals(RollingRestartStatus.RestartState.DONE, restart(replicas).state());
    assertTrue(replicas.log().contains("did not finish within PT25S and is killed"));
  }

  @Test
  void shouldStopInTheMiddleOfARestart() throws InterruptedException {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    assertTrue(replicas.restart(0, 1).isPresent());

    replicas.supervisor.stop();
    replicas.supervisor.turn();
    replicas.last(0).exit(0);
    replicas.last(1).exit(0);

    assertTrue(replicas.supervisor.ended());
    assertEquals(0, replicas.supervisor.run());
    assertEquals(2, replicas.started.size());
  }

  @Test
  void shouldAddOneWhenWorkWaitsAndRemoveTheLastWhenItDoesNot() {
    // given
    FakeReplicas replicas = new FakeReplicas(3, ScalingSettings.between(1, 3), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();
    assertEquals(1, replicas.started.size());

    // when
    replicas.pass(ScalingSettings.ADD_AFTER.plusSeconds(2), ScalingSettings.ADD_DELAY_MICROS);
    replicas.last(1).ready();

    // then
    assertEquals(List.of(1L, 1L, 0L), Stream.of(0, 1, 2).map(replicas::starts).toList());
    replicas.pass(ScalingSettings.REST.plus(ScalingSettings.REMOVE_AFTER).plusSeconds(2), 0);
    assertTrue(replicas.last(1).heard.contains(ReplicaProtocol.DRAIN));
    assertFalse(replicas.last(0).heard.contains(ReplicaProtocol.DRAIN));
    replicas.last(1).exit(0);
    assertEquals(ReplicaState.STOPPED, replicas.state(1));
    replicas.pass(ScalingSettings.REST.plus(ScalingSettings.REMOVE_AFTER).plusSeconds(2), 0);
    assertEquals(ReplicaState.READY, replicas.state(0), "the least number stays");
  }

  @Test
  void shouldGiveAReplicaItsSlotWhenItJoinsAndTakeItBackWhenItHasEnded() {
    // given
    FakeReplicas replicas = new FakeReplicas(3, ScalingSettings.between(1, 3), crashes);
    replicas.supervisor.turn();
    FakeReplicas.Child first = replicas.last(0);
    first.ready();
    assertEquals("1 0 0 0", first.assignment());

    // when
    assertTrue(replicas.fix(2));
    replicas.pass(Duration.ofSeconds(2));

    // then
    assertEquals("1 0 0 0", replicas.last(1).assignment(), "it starts without a slot");
    assertFalse(first.heard.contains("@slots 2 0 1 0"), "it has not joined");
    replicas.last(1).says(ReplicaProtocol.JOINS);
    replicas.supervisor.turn();
    assertTrue(first.heard.contains("@slots 2 0 1 0"));
    assertTrue(replicas.last(1).heard.contains("@slots 2 0 1 0"));
    replicas.last(1).ready();
    replicas.last(1).exit(3);
    assertEquals("2 0 1 0", replicas.last(1).assignment(), "a crash moves nothing");
    replicas.last(1).ready();
    assertTrue(replicas.fix(1));
    replicas.pass(Duration.ofSeconds(2));
    assertTrue(replicas.last(1).heard.contains(ReplicaProtocol.DRAIN));
    assertFalse(first.heard.contains("@slots 3 0 0 0"), "it has not ended");
    replicas.last(1).exit(0);
    assertTrue(first.heard.contains("@slots 3 0 0 0"));
  }

  @Test
  void shouldMoveTheSlotOfABrokenOneUntilItJoinsAgain() {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    FakeReplicas.Child other = replicas.last(0);

    crashLoop(replicas, 1);
    replicas.supervisor.turn();

    assertEquals(ReplicaState.BROKEN, replicas.state(1));
    assertTrue(other.heard.contains("@slots 2 0 0"));
    replicas.pass(RestartPolicy.RETRY, BUSY_MICROS);
    assertEquals("2 0 0", replicas.last(1).assignment());
    replicas.last(1).says(ReplicaProtocol.JOINS);
    replicas.supervisor.turn();
    assertTrue(other.heard.contains("@slots 3 0 1"));
  }

  @Test
  void shouldRunAsManyAsAnOperatorWantsWithinBounds() {
    FakeReplicas replicas = new FakeReplicas(3, ScalingSettings.between(1, 3), crashes);
    replicas.supervisor.turn();
    replicas.last(0).ready();

    assertFalse(replicas.fix(0));
    assertFalse(replicas.fix(4));
    assertTrue(replicas.fix(3));
    replicas.pass(Duration.ofSeconds(3));
    replicas.last(1).ready();
    replicas.last(2).ready();
    replicas.pass(ScalingSettings.REST.plus(ScalingSettings.REMOVE_AFTER).plusSeconds(2), 0);
    assertEquals(ReplicaState.READY, replicas.state(2), "though nothing is to be done");

    assertTrue(replicas.fix(1));
    replicas.pass(Duration.ofSeconds(3));
    assertEquals(ReplicaState.DRAINING, replicas.state(2));
    assertEquals(ReplicaState.READY, replicas.state(1), "one after the other");
    replicas.last(2).exit(0);
    replicas.pass(Duration.ofSeconds(2));
    assertEquals(ReplicaState.DRAINING, replicas.state(1));
    replicas.last(1).exit(0);
    assertTrue(replicas.unfix());
    replicas.pass(ScalingSettings.ADD_AFTER.plusSeconds(2), ScalingSettings.ADD_DELAY_MICROS);
    assertEquals(ReplicaState.STARTING, replicas.state(1), "the load decides again");
  }

  @Test
  void shouldKeepEventsInOrderAndWithinBounds() {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    for (int i = 0; i < SupervisionEvents.MAX_EVENTS; i++) {
      replicas.last(0).says("line " + i);
      replicas.supervisor.turn();
    }

    List<SupervisionEvents.Event> all = replicas.events.latest(Integer.MAX_VALUE);
    List<SupervisionEvents.Event> two = replicas.events.latest(2);

    assertEquals(SupervisionEvents.MAX_EVENTS, all.size());
    assertTrue(all.getFirst().text().endsWith("says: line 0"), all.getFirst().text());
    assertEquals(List.of(all.get(all.size() - 2), all.getLast()), two);
    assertEquals(all.getLast().number(), all.getFirst().number() + all.size() - 1);
  }

  private static RollingRestartStatus restart(FakeReplicas replicas) {
    var asked = replicas.supervisor.latestRestart();
    replicas.supervisor.turn();
    return asked.join().orElseThrow();
  }

  /** Lets a replica die until its breaker opens. */
  private static void crashLoop(FakeReplicas replicas, int index) {
    replicas.last(index).exit(3);
    for (int i = 1; i < RestartPolicy.MAX_DEATHS; i++) {
      long before = replicas.starts(index);
      replicas.last(index).exit(3);
      while (replicas.starts(index) == before && i < RestartPolicy.MAX_DEATHS - 1) {
        replicas.pass(Duration.ofMillis(500));
      }
    }
  }
}

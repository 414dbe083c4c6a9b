package dev.pinion.bootstrap.supervise;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.process.PipedProcess;
import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor over real child processes, with time that runs ten times as fast. */
class SupervisorTest {
  private static final SupervisorSettings PATIENCE =
      new SupervisorSettings(
          Duration.ofSeconds(300),
          () -> CompletableFuture.completedFuture(Duration.ZERO),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          ScalingSettings.between(2, 2));

  @TempDir private Path data;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final List<Long> pids = new CopyOnWriteArrayList<>();
  private final AtomicReference<List<SupervisorListener.ServingReplica>> ready =
      new AtomicReference<>(List.of());
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void shouldLeaveNoProcessBehind() {
    thread.shutdownNow();
    for (long pid : pids) {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }
  }

  // Field fault 23
  @Tag("long")
  @Test
  void shouldGoOnTryingAReplicaThatDiesAgainAndAgain() throws Exception {
    // given time that runs ten times as fast
    Supervisor supervisor = supervisor("dies", 1);

    Future<Integer> status = run(supervisor);

    await().atMost(Duration.ofSeconds(60)).until(() -> pids.size() > RestartPolicy.MAX_DEATHS);
    assertFalse(status.isDone());
    supervisor.stop();
    assertEquals(0, status.get(30, TimeUnit.SECONDS));
  }

  @Test
  void shouldKillAndRestartReplicaThatFallsSilent() throws Exception {
    // given
    Supervisor supervisor = supervisor("unwell", 1);

    // when
    Future<Integer> status = run(supervisor);

    // then
    await().atMost(Duration.ofSeconds(30)).until(() -> pids.size() >= 2);
    assertTrue(log().contains("was silent for PT20S and is killed"), log());
    supervisor.stop();
    assertEquals(0, status.get(30, TimeUnit.SECONDS));
  }

  @Test
  void shouldReuseThePortItWasGivenFirst() throws Exception {
    // given
    Supervisor supervisor = supervisor("", 1);
    Future<Integer> status = run(supervisor);
    await().atMost(Duration.ofSeconds(30)).until(() -> !ready.get().isEmpty());
    SupervisorListener.ServingReplica first = ready.get().getFirst();

    // when
    ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();

    // then
    String again = "serves port " + first.port();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> log().indexOf(again) != log().lastIndexOf(again));
    supervisor.stop();
    assertEquals(0, status.get(30, TimeUnit.SECONDS));
  }

  @Test
  void shouldRunSeveralReplicasAndAnnounceThemTogether() throws Exception {
    Supervisor supervisor = supervisor("", 2);
    Future<Integer> status = run(supervisor);

    await().atMost(Duration.ofSeconds(30)).until(() -> ready.get().size() == 2);

    assertEquals(
        List.of(0, 1), ready.get().stream().map(SupervisorListener.ServingReplica::index).toList());
    supervisor.stop();
    assertEquals(0, status.get(30, TimeUnit.SECONDS));
  }

  @Test
  void shouldNotRestartReplicaThatCannotStart() throws Exception {
    // given a layout that is invalid for all replicas
    Supervisor supervisor = supervisor(List.of(first(0)), starter("", "nonsense"));

    // when
    int status = run(supervisor).get(30, TimeUnit.SECONDS);

    // then
    assertEquals(1, status);
    assertEquals(1, pids.size());
    assertTrue(log().contains("replica 0 cannot start: "), log());
  }

  @Test
  void shouldReportCommandThatCannotBeRun() throws Exception {
    Supervisor supervisor =
        supervisor(
            List.of(first(0)),
            (start, processListener) -> {
              throw new IOException("no such command");
            });

    assertEquals(1, run(supervisor).get(30, TimeUnit.SECONDS));
    assertTrue(log().contains("cannot start replica 0: no such command"), log());
  }

  /** Whatever the failure of a start, the supervisor continues. */
  @Test
  void shouldReportAStartThatFailsUnexpectedly() throws Exception {
    Supervisor supervisor =
        supervisor(
            List.of(first(0)),
            (start, processListener) -> {
              throw new IllegalStateException("no more threads");
            });

    assertEquals(1, run(supervisor).get(30, TimeUnit.SECONDS));
    assertTrue(log().contains("cannot start replica 0: no more threads"), log());
  }

  private Supervisor supervisor(String traits, int replicas) {
    List<ReplicaStart> starts =
        IntStream.range(0, replicas).mapToObj(SupervisorTest::first).toList();
    return supervisor(starts, starter(traits, "fused:1"));
  }

  private Supervisor supervisor(List<ReplicaStart> starts, ReplicaStarter starter) {
    SupervisionEvents events = new SupervisionEvents(log(logged), () -> Instant.EPOCH);
    return new Supervisor(
        starts,
        PATIENCE,
        starter,
        events,
        new CrashReporter(new CrashReports(data)::write, events, Runnable::run),
        new Announced(),
        new Supervisor.Clocks(SupervisorTest::fastTime, () -> Instant.EPOCH));
  }

  /** Records announcements. */
  private final class Announced implements SupervisorListener {
    @Override
    public void onReady(List<ServingReplica> replicas) {
      ready.set(replicas);
    }

    @Override
    public void onServing(ServingReplica replica) {
      // subject of other tests
    }

    @Override
    public void onServingChanged(Set<Integer> replicas) {
      // subject of other tests
    }
  }

  private static ReplicaStart first(int index) {
    return ReplicaStart.first(index, DispatchMode.DIRECT, 0);
  }

  private String settings(ReplicaStart start, String layout) {
    return EffectiveSettings.defaults(data)
        .put(SettingKey.HISTORY, "none")
        .put(SettingKey.SHUTDOWN_TIMEOUT, 5)
        .put(ReplicaKey.INDEX, start.index())
        .put(ReplicaKey.SLOTS, 2)
        .put(ReplicaKey.PORT, start.port())
        .build()
        .lines()
        .replace("replica.layout=fused:1\n", "replica.layout=" + layout + "\n");
  }

  private ReplicaStarter starter(String traits, String layout) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-Dtraits=" + traits,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.pinion.bootstrap.replica.FakeReplica");
    return (start, processListener) -> {
      PipedProcess process = PipedProcess.start(command, settings(start, layout), processListener);
      pids.add(process.pid());
      return process;
    };
  }

  private static long fastTime() {
    return System.nanoTime() * 10;
  }

  private Future<Integer> run(Supervisor supervisor) {
    return thread.submit(supervisor::run);
  }

  private static SupervisorLog log(ByteArrayOutputStream out) {
    return new SupervisorLog(
        new PrintStream(out, true, StandardCharsets.UTF_8), false, () -> Instant.EPOCH);
  }

  private String log() {
    return logged.toString(StandardCharsets.UTF_8);
  }
}

package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.process.ReplicaStarter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 22: a process that is stopped or hangs is detected by its silence. */
class SupervisedProcessTest {
  private static final Duration FIRST_WORD = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final long SECOND = 1_000_000_000L;

  private final List<String> warnings = new ArrayList<>();
  private final Child child = new Child();
  private long now = 1_000 * SECOND;

  @Test
  void shouldKillAProcessThatSaysNothingMore() {
    try (SupervisedProcess kept = kept()) {
      kept.start();
      child.processListener.onLine("@lag 3");
      look(kept, 10);
      assertEquals(0, child.kills, "said something 10 s ago");

      look(kept, 1);

      assertEquals(1, child.kills);
      assertTrue(warnings.getFirst().contains("has said nothing for too long"), warnings::toString);
    }
  }

  @Test
  void shouldKillAProcessThatNeverSaysAnything() {
    try (SupervisedProcess kept = kept()) {
      kept.start();
      look(kept, 60);
      assertEquals(0, child.kills);

      look(kept, 1);

      assertEquals(1, child.kills);
    }
  }

  @Test
  void shouldNotHoldItAgainstAProcessThatTheParentStoodStill() {
    try (SupervisedProcess kept = kept()) {
      kept.start();
      child.processListener.onLine("@lag 3");
      now += 300 * SECOND;
      kept.checkHeartbeat();
      assertEquals(0, child.kills, "the parent was stopped as well");

      look(kept, 12);

      assertEquals(1, child.kills);
    }
  }

  @Test
  void shouldWaitLongerForAProcessThatKeepsDyingAlsoWhenItSpoke() {
    try (SupervisedProcess kept = kept()) {
      kept.start();
      child.processListener.onLine("@lag 3");
      child.processListener.onExit(3);
      kept.startProcess();
      child.processListener.onLine("@lag 3");
      child.processListener.onExit(3);
      kept.startProcess();
      child.processListener.onLine("@lag 3");
      now += SupervisedProcess.STABLE_AFTER.toNanos();
      child.processListener.onExit(3);
    }
    List<String> delays =
        warnings.stream().map(line -> line.replaceAll(".* in (\\d+) s", "$1")).toList();
    assertEquals(List.of("1", "2", "1"), delays);
  }

  /** Any failure of a start is reported, and retried with growing delays. */
  @Test
  void shouldTryAgainWhenAProcessCannotBeStarted() {
    List<RuntimeException> failures =
        new ArrayList<>(
            List.of(
                new IllegalStateException("no more threads"),
                new UncheckedIOException(new IOException("a folder vanished"))));
    try (SupervisedProcess kept =
        kept(
            processListener -> {
              if (!failures.isEmpty()) {
                throw failures.removeFirst();
              }
              return child.start(processListener);
            })) {
      kept.start();
      assertEquals(-1, kept.pid());
      kept.startProcess();
      kept.startProcess();
      assertEquals(4711, kept.pid());
      child.processListener.onExit(3);
    }
    assertTrue(warnings.get(0).contains("cannot be started: no more threads"), warnings::toString);
    assertTrue(warnings.get(1).contains("a folder vanished"), warnings::toString);
    assertTrue(warnings.get(2).endsWith("in 4 s"), warnings::toString);
  }

  /**
   * Field fault 3: messages of a process before it was stopped, or of its predecessor, are
   * outdated.
   */
  @Test
  void shouldNotTakeOldWordsForNews() {
    try (SupervisedProcess kept = kept()) {
      kept.start();
      assertFalse(kept.isAlive(), "nothing was said yet");
      child.processListener.onLine("@lag 3");
      now += SupervisedProcess.FRESH.toNanos();
      assertTrue(kept.isAlive());
      now++;
      assertFalse(kept.isAlive(), "it says nothing any more");

      child.processListener.onLine("@lag 3");
      child.processListener.onExit(3);
      assertFalse(kept.isAlive(), "it has ended");
      kept.startProcess();
      assertFalse(kept.isAlive(), "another one has said nothing yet");
    }
  }

  @Test
  void shouldTellWhatKeepsTheHistoryFromGoingOn() {
    Child process = new Child();
    try (HistorySupervisor keeper =
        new HistorySupervisor((_, told) -> process.start(told), warnings::add)) {
      keeper.start();
      assertEquals(new HistorySupervisor.HistoryStatus(4711, 1, -1, 0, -1, ""), keeper.status());
      process.processListener.onLine(HistorySupervisor.line(17, 2, 5, "the disk\nis full"));
      assertEquals(
          new HistorySupervisor.HistoryStatus(4711, 1, 17, 2, 5, "the disk is full"),
          keeper.status());
      process.processListener.onLine(HistorySupervisor.line(-1, 0, -1, "locked"));
      assertEquals(
          new HistorySupervisor.HistoryStatus(4711, 1, -1, 0, -1, "locked"), keeper.status());
      process.processListener.onLine(HistorySupervisor.line(0, 0, 0, null));
      assertEquals(new HistorySupervisor.HistoryStatus(4711, 1, 0, 0, 0, ""), keeper.status());
      process.processListener.onLine(
          HistorySupervisor.line(new HistorySupervisor.SinkStatus("b@Shop", 1, 0, 7)));
      process.processListener.onLine(
          HistorySupervisor.line(new HistorySupervisor.SinkStatus("a", 0, 0, 0)));
      process.processListener.onLine(
          HistorySupervisor.line(new HistorySupervisor.SinkStatus("a", 5, 2, 1)));
      assertEquals(
          List.of(
              new HistorySupervisor.SinkStatus("a", 5, 2, 1),
              new HistorySupervisor.SinkStatus("b@Shop", 1, 0, 7)),
          keeper.status().sinks());
      process.processListener.onExit(3);
      assertEquals(-1, keeper.status().lagRecords(), "that of one that has ended");
    }
    assertFalse(warnings.stream().anyMatch(line -> line.contains("says")), warnings::toString);
  }

  /** Field fault 3: the next process receives whether the previous one failed or was killed. */
  @ParameterizedTest
  @CsvSource({"3, true", "70, true", "134, true", "137, false", "143, false"})
  void shouldTellTheHistoryWhetherItsPredecessorFailed(int status, boolean failed) {
    List<Boolean> told = new ArrayList<>();
    try (HistorySupervisor keeper =
        new HistorySupervisor(
            (afterFailure, processListener) -> {
              told.add(afterFailure);
              return child.start(processListener);
            },
            warnings::add)) {
      keeper.start();
      child.processListener.onExit(status);
      keeper.start(); // and does not wait for its delay
    }
    assertEquals(List.of(false, failed), told);
  }

  private SupervisedProcess kept() {
    return kept(child::start);
  }

  private SupervisedProcess kept(SupervisedProcess.Starter starter) {
    return new SupervisedProcess(
        "the history",
        Duration.ZERO,
        new Watchdog(FIRST_WORD, SILENCE),
        () -> now,
        starter,
        line -> line.startsWith("@"),
        warnings::add);
  }

  private void look(SupervisedProcess kept, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      kept.checkHeartbeat();
    }
  }

  /** A fake process. */
  private static final class Child implements ReplicaStarter.Child {
    private ReplicaStarter.ProcessListener processListener =
        ReplicaStarter.ProcessListener.of(_ -> {}, _ -> {});
    private int kills;

    ReplicaStarter.Child start(ReplicaStarter.ProcessListener keeper) {
      processListener = keeper;
      return this;
    }

    @Override
    public void send(String line) {
      processListener.onExit(0);
    }

    @Override
    public void kill() {
      kills++;
    }

    @Override
    public long pid() {
      return 4711;
    }

    @Override
    public List<String> lastLines() {
      return List.of();
    }
  }
}

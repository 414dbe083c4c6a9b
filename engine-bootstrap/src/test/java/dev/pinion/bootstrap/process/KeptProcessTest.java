package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 22: a process that is stopped or hangs is detected by its silence. */
class KeptProcessTest {
  private static final Duration FIRST_WORD = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final long SECOND = 1_000_000_000L;

  private final List<String> warnings = new ArrayList<>();
  private final Child child = new Child();
  private long now = 1_000 * SECOND;

  @Test
  void shouldKillAProcessThatSaysNothingMore() {
    try (KeptProcess kept = kept()) {
      kept.begin();
      child.listener.onLine("@lag 3");
      look(kept, 10);
      assertEquals(0, child.kills, "said something 10 s ago");

      look(kept, 1);

      assertEquals(1, child.kills);
      assertTrue(warnings.getFirst().contains("has said nothing for too long"), warnings::toString);
    }
  }

  @Test
  void shouldKillAProcessThatNeverSaysAnything() {
    try (KeptProcess kept = kept()) {
      kept.begin();
      look(kept, 60);
      assertEquals(0, child.kills);

      look(kept, 1);

      assertEquals(1, child.kills);
    }
  }

  @Test
  void shouldNotHoldItAgainstAProcessThatTheParentStoodStill() {
    try (KeptProcess kept = kept()) {
      kept.begin();
      child.listener.onLine("@lag 3");
      now += 300 * SECOND;
      kept.look();
      assertEquals(0, child.kills, "the parent was stopped as well");

      look(kept, 12);

      assertEquals(1, child.kills);
    }
  }

  @Test
  void shouldWaitLongerForAProcessThatKeepsDyingAlsoWhenItSpoke() {
    try (KeptProcess kept = kept()) {
      kept.begin();
      child.listener.onLine("@lag 3");
      child.listener.onExit(3);
      kept.start();
      child.listener.onLine("@lag 3");
      child.listener.onExit(3);
      kept.start();
      child.listener.onLine("@lag 3");
      now += KeptProcess.SOUND.toNanos();
      child.listener.onExit(3);
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
    try (KeptProcess kept =
        kept(
            listener -> {
              if (!failures.isEmpty()) {
                throw failures.removeFirst();
              }
              return child.start(listener);
            })) {
      kept.begin();
      assertEquals(-1, kept.pid());
      kept.start();
      kept.start();
      assertEquals(4711, kept.pid());
      child.listener.onExit(3);
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
    try (KeptProcess kept = kept()) {
      kept.begin();
      assertFalse(kept.isHeard(), "nothing was said yet");
      child.listener.onLine("@lag 3");
      now += KeptProcess.FRESH.toNanos();
      assertTrue(kept.isHeard());
      now++;
      assertFalse(kept.isHeard(), "it says nothing any more");

      child.listener.onLine("@lag 3");
      child.listener.onExit(3);
      assertFalse(kept.isHeard(), "it has ended");
      kept.start();
      assertFalse(kept.isHeard(), "another one has said nothing yet");
    }
  }

  @Test
  void shouldTellWhatKeepsTheHistoryFromGoingOn() {
    Child process = new Child();
    try (HistoryKeeper keeper =
        new HistoryKeeper((_, told) -> process.start(told), warnings::add)) {
      keeper.start();
      assertEquals(new HistoryKeeper.Picture(4711, 1, -1, 0, ""), keeper.picture());
      process.listener.onLine(HistoryKeeper.line(17, 2, "the disk\nis full"));
      assertEquals(new HistoryKeeper.Picture(4711, 1, 17, 2, "the disk is full"), keeper.picture());
      process.listener.onLine(HistoryKeeper.line(-1, 0, "locked"));
      assertEquals(new HistoryKeeper.Picture(4711, 1, -1, 0, "locked"), keeper.picture());
      process.listener.onLine(HistoryKeeper.line(0, 0, null));
      assertEquals(new HistoryKeeper.Picture(4711, 1, 0, 0, ""), keeper.picture());
      process.listener.onExit(3);
      assertEquals(-1, keeper.picture().lagRecords(), "that of one that has ended");
    }
    assertFalse(warnings.stream().anyMatch(line -> line.contains("says")), warnings::toString);
  }

  /** Field fault 3: the next process receives whether the previous one failed or was killed. */
  @ParameterizedTest
  @CsvSource({"3, true", "70, true", "134, true", "137, false", "143, false"})
  void shouldTellTheHistoryWhetherItsPredecessorFailed(int status, boolean failed) {
    List<Boolean> told = new ArrayList<>();
    try (HistoryKeeper keeper =
        new HistoryKeeper(
            (afterFailure, listener) -> {
              told.add(afterFailure);
              return child.start(listener);
            },
            warnings::add)) {
      keeper.start();
      child.listener.onExit(status);
      keeper.start(); // and does not wait for its delay
    }
    assertEquals(List.of(false, failed), told);
  }

  private KeptProcess kept() {
    return kept(child::start);
  }

  private KeptProcess kept(KeptProcess.Starter starter) {
    return new KeptProcess(
        "the history",
        Duration.ZERO,
        new Heartbeat(FIRST_WORD, SILENCE),
        () -> now,
        starter,
        line -> line.startsWith("@"),
        warnings::add);
  }

  private void look(KeptProcess kept, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      kept.look();
    }
  }

  /** A fake process. */
  private static final class Child implements ReplicaStarter.Child {
    private ReplicaStarter.Listener listener = ReplicaStarter.Listener.of(_ -> {}, _ -> {});
    private int kills;

    ReplicaStarter.Child start(ReplicaStarter.Listener keeper) {
      listener = keeper;
      return this;
    }

    @Override
    public void say(String line) {
      listener.onExit(0);
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

package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Field fault 18: the history never claims to be newer than its content. */
class HistoryWatermarkTest {
  private static final long HELD = HistoryWatermark.TO_DISK_MILLIS;

  private final HistoryWatermark historyWatermark =
      new HistoryWatermark(TimeUnit.SECONDS.toNanos(9));

  private void look(long millis, long durable) {
    historyWatermark.observed(TimeUnit.MILLISECONDS.toNanos(millis), millis, durable);
  }

  /** An event may have been applied before the pause, and be on its way to the disk. */
  @Test
  void shouldNotCountLooksThatFollowUponAPause() {
    look(9_900, 5);
    assertEquals(9_900 - HELD, historyWatermark.millisAt(5));
    look(46_000, 5);
    look(46_999, 6);
    assertEquals(9_900 - HELD, historyWatermark.millisAt(6));
    look(47_000, 7);
    assertEquals(47_000 - HELD, historyWatermark.millisAt(7));
  }

  /** The database may be so slow that all readings are late. */
  @Test
  void shouldCountEachSecondLookWhenAllComeLate() {
    for (int i = 1; i <= 4; i++) {
      look(9_000 + i * 3_000L, i);
    }
    assertEquals(21_000 - HELD, historyWatermark.millisAt(4));
  }

  @Test
  void shouldNotCountALookBeforeAllOfItsRecordsAreTakenUp() {
    look(10_000, 5);
    look(11_000, 9);

    assertEquals(0, historyWatermark.millisAt(4));
    assertEquals(10_000 - HELD, historyWatermark.millisAt(8));
    assertEquals(11_000 - HELD, historyWatermark.millisAt(9));
    assertEquals(11_000 - HELD, historyWatermark.millisAt(12), "nobody has looked since");
  }

  @Test
  void shouldForgetLooksWhenTheJournalIsReadAnew() {
    look(10_000, 5);
    historyWatermark.millisAt(5);
    look(11_000, 7);
    historyWatermark.clear();

    assertEquals(10_000 - HELD, historyWatermark.millisAt(7));
  }

  @Test
  void shouldRememberTheOldestLooksOfAHistoryThatIsFarBehind() {
    for (int i = 1; i <= 1_000; i++) {
      look(i * 1_000L, i);
    }

    assertEquals(5_000 - HELD, historyWatermark.millisAt(5));
    assertEquals(64_000 - HELD, historyWatermark.millisAt(1_000));
  }
}

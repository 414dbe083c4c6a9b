package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Field fault 18: the history never claims to be newer than its content. */
class AsOfTest {
  private static final long HELD = AsOf.TO_DISK_MILLIS;

  private final AsOf asOf = new AsOf(TimeUnit.SECONDS.toNanos(9));

  private void look(long millis, long durable) {
    asOf.looked(TimeUnit.MILLISECONDS.toNanos(millis), millis, durable);
  }

  /** An event may have been applied before the pause, and be on its way to the disk. */
  @Test
  void shouldNotCountLooksThatFollowUponAPause() {
    look(9_900, 5);
    assertEquals(9_900 - HELD, asOf.at(5));
    look(46_000, 5);
    look(46_999, 6);
    assertEquals(9_900 - HELD, asOf.at(6));
    look(47_000, 7);
    assertEquals(47_000 - HELD, asOf.at(7));
  }

  /** The database may be so slow that all readings are late. */
  @Test
  void shouldCountEachSecondLookWhenAllComeLate() {
    for (int i = 1; i <= 4; i++) {
      look(9_000 + i * 3_000L, i);
    }
    assertEquals(21_000 - HELD, asOf.at(4));
  }

  @Test
  void shouldNotCountALookBeforeAllOfItsRecordsAreTakenUp() {
    look(10_000, 5);
    look(11_000, 9);

    assertEquals(0, asOf.at(4));
    assertEquals(10_000 - HELD, asOf.at(8));
    assertEquals(11_000 - HELD, asOf.at(9));
    assertEquals(11_000 - HELD, asOf.at(12), "nobody has looked since");
  }

  @Test
  void shouldForgetLooksWhenTheJournalIsReadAnew() {
    look(10_000, 5);
    asOf.at(5);
    look(11_000, 7);
    asOf.clear();

    assertEquals(10_000 - HELD, asOf.at(7));
  }

  @Test
  void shouldRememberTheOldestLooksOfAHistoryThatIsFarBehind() {
    for (int i = 1; i <= 1_000; i++) {
      look(i * 1_000L, i);
    }

    assertEquals(5_000 - HELD, asOf.at(5));
    assertEquals(64_000 - HELD, asOf.at(1_000));
  }
}

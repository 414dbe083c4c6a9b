package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Field fault 18: the history never says that it is newer than what it holds. */
class AsOfTest {
  private static final long HELD = AsOf.TO_DISK_MILLIS;

  private final AsOf asOf = new AsOf();

  @Test
  void shouldNotCountALookBeforeAllOfItsRecordsAreTakenUp() {
    asOf.looked(10_000, 5);
    asOf.looked(20_000, 9);

    assertEquals(0, asOf.at(4));
    assertEquals(10_000 - HELD, asOf.at(8));
    assertEquals(20_000 - HELD, asOf.at(9));
    assertEquals(20_000 - HELD, asOf.at(12), "nobody has looked since");
  }

  @Test
  void shouldForgetLooksWhenTheJournalIsReadAnew() {
    asOf.looked(10_000, 5);
    asOf.at(5);
    asOf.looked(20_000, 7);
    asOf.clear();

    assertEquals(10_000 - HELD, asOf.at(7));
  }

  @Test
  void shouldRememberTheOldestLooksOfAHistoryThatIsFarBehind() {
    for (int i = 1; i <= 1_000; i++) {
      asOf.looked(i * 1_000L, i);
    }

    assertEquals(5_000 - HELD, asOf.at(5));
    assertEquals(64_000 - HELD, asOf.at(1_000));
  }
}

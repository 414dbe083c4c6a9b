package dev.pinion.core.kernel.listen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecordedMatchesTest {
  private static final long KEEP_MILLIS = 10_000;
  private static final long MINUTE = 60_000;

  private final RecordedMatches matches = new RecordedMatches(KEEP_MILLIS);

  private String text() {
    StringBuilder text = new StringBuilder();
    matches.forEach(
        (first, last, atMillis) ->
            text.append(first).append('-').append(last).append('@').append(atMillis).append(' '));
    return text.toString().trim();
  }

  @Test
  void shouldJoinEventsThatFollowEachOther() {
    matches.add(3, 3, 100);
    matches.add(4, 4, 200);
    matches.add(9, 12, 300);
    matches.add(10, 11, 250);

    assertEquals("3-4@200 9-12@300", text());
    assertFalse(matches.contains(2));
    assertTrue(matches.contains(4));
    assertFalse(matches.contains(5));
    assertTrue(matches.contains(12));
  }

  @Test
  void shouldForgetWhatTheLogHasStored() {
    matches.add(1, 10, 100);
    matches.stored(4, 6);
    assertEquals("1-3@100 7-10@100", text());
    matches.stored(3, 7);
    assertEquals("1-2@100 8-10@100", text());
    matches.stored(11, 20);
    matches.stored(1, 100);
    assertEquals("", text());
  }

  @Test
  void shouldForgetWhatTheLogMustKnowByNow() {
    matches.add(1, 1, 100);
    matches.expire(100 + KEEP_MILLIS + MINUTE);
    assertTrue(matches.contains(1));
    matches.expire(101 + KEEP_MILLIS + MINUTE);
    assertFalse(matches.contains(1));
  }

  @Test
  void shouldHoldNothingWhereNoEventIsKept() {
    RecordedMatches none = new RecordedMatches(0);
    none.add(1, 1, 100);
    assertFalse(none.contains(1));
  }

  @Test
  void shouldHoldWhatASetHolds() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeSet<Long> expected = new TreeSet<>();
    for (int i = 0; i < 2_000; i++) {
      long first = random.nextInt(200);
      long last = first + random.nextInt(8);
      if (random.nextInt(3) > 0) {
        matches.add(first, last, 1);
        for (long each = first; each <= last; each++) {
          expected.add(each);
        }
      } else {
        matches.stored(first, last);
        expected.subSet(first, true, last, true).clear();
      }
      for (long each = 0; each < 210; each++) {
        long position = each;
        assertEquals(expected.contains(each), matches.contains(each), () -> seed + ": " + position);
      }
    }
  }
}

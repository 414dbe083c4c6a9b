package dev.pinion.core.model.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TagsTest {
  private static long startAt(String label) {
    return new Tags(null, Map.of(Tags.START_AT, label)).startAtEpochMillis();
  }

  @Test
  void shouldKnowWhenAnInstanceBegins() {
    assertEquals(1_767_323_045_678L, startAt("2026-01-02T03:04:05.678Z"));
    assertEquals(0, Tags.NONE.startAtEpochMillis());
    assertEquals(0, new Tags(null, Map.of("other", "x")).startAtEpochMillis());
  }

  /** Labels of clients, from before this one had a meaning. */
  @Test
  void shouldPassOverWhatIsNoTime() {
    assertEquals(0, startAt("soon"));
    assertEquals(0, startAt("2026-01-02"));
    assertEquals(0, startAt("+999999999-01-01T00:00:00Z"));
  }
}

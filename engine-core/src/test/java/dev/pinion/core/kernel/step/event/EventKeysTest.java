package dev.pinion.core.kernel.step.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class EventKeysTest {
  @Test
  void shouldSplitWhatItHasJoined() {
    for (List<String> values :
        List.of(
            List.of(""),
            List.of("a:b"),
            List.of("", ""),
            List.of("3:abc", "12"),
            List.of("a", "", "ünï", "x".repeat(1_000)))) {
      assertEquals(values, EventKeys.split(EventKeys.joined(values), values.size()));
    }
  }
}

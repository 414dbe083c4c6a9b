package dev.pinion.core.invoker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class OriginTest {
  @Test
  void shouldBeTheSameByAllItsParts() {
    Origin origin = new Origin(true, "a.example", 443);
    Origin same = new Origin(true, String.join(".", "a", "example"), 443);

    assertEquals(origin, same);
    assertEquals(origin.hashCode(), same.hashCode());
    assertNotEquals(origin, new Origin(false, "a.example", 443));
    assertNotEquals(origin, new Origin(true, "b.example", 443));
    assertNotEquals(origin, new Origin(true, "a.example", 444));
    assertNotEquals(origin, (Object) "a.example:443");
  }
}

package dev.pinion.bootstrap.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaPolicyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "1",
        "1024",
        "1..8",
        "numa",
        "package",
        "interleaved",
        "interleaved:3",
        "sosoa:2",
        "sosoa:4:8",
        "0-3/4-7",
        "0-1",
        "0,2/1,3",
        "1..0-3/4-7",
        "2..0/0-1/0"
      })
  void shouldReadEveryFormAndWriteItAgain(String text) {
    assertEquals(text, ReplicaPolicy.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "1025",
        "3..2",
        "0..2",
        "0..0/1",
        "3..0/1",
        "0/1..2",
        "2:4",
        "interleaved:2:3",
        "interleaved:2..3",
        "sosoa",
        "sosoa:2..3",
        "sosoa:2:257",
        "sosoa:0",
        "all",
        "5-3/1",
        "1.5",
        "-1"
      })
  void shouldRefuseOthers(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> ReplicaPolicy.parse(text));

    assertTrue(String.valueOf(refusal.getMessage()).startsWith("expected "), text);
  }
}

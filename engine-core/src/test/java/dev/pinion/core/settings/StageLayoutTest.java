package dev.pinion.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StageLayoutTest {
  @ParameterizedTest
  @ValueSource(strings = {"fused:1", "fused:256", "pipelined:1+2+3"})
  void shouldWriteWhatItRead(String text) {
    assertEquals(text, StageLayout.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"fused", "fused:0", "fused:257", "pipelined:1+1", "pipelined:0+1+1", "x:1", ""})
  void shouldRefuseOthers(String text) {
    assertThrows(IllegalArgumentException.class, () -> StageLayout.parse(text));
  }

  @Test
  void shouldCountLoops() {
    assertEquals(6, new StageLayout.Pipelined(1, 2, 3).loops());
    assertEquals(4, new StageLayout.Fused(4).loops());
  }
}

package dev.pinion.bootstrap.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.placement.Waiting.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "park",
        "yield",
        "spin",
        "request=park,kernel=spin,invoker=yield",
        "fused=park,handlers=spin:1",
        "request=park,kernel=spin,invoker=yield,handlers=spin:256"
      })
  void shouldWriteWhatItReads(String text) {
    assertEquals(text, Waiting.parse(text).toString());
  }

  @Test
  void shouldParkStagesThatAreLeftOut() {
    assertEquals(new Waiting(Mode.PARK, Mode.SPIN, Mode.PARK), Waiting.parse("kernel=spin"));
    assertEquals(Waiting.all(Mode.YIELD), Waiting.parse("fused=yield"));
    assertEquals(new Waiting(Mode.PARK, Mode.PARK, Mode.PARK, 1), Waiting.parse("handlers=spin"));
    assertEquals(Waiting.PARK, Waiting.parse("handlers=park"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sleep",
        "kernel=",
        "=spin",
        "kernel=spin,kernel=park",
        "broker=spin",
        "kernel=spin,",
        "fused=spin,kernel=park",
        "handlers=yield",
        "handlers=spin:0",
        "handlers=spin:257",
        "handlers=spin,handlers=park"
      })
  void shouldRefuseOthers(String text) {
    assertThrows(IllegalArgumentException.class, () -> Waiting.parse(text));
  }

  @Test
  void shouldKnowTheLoopsOfEachStage() {
    Waiting waiting = new Waiting(Mode.PARK, Mode.YIELD, Mode.SPIN);

    assertEquals(Mode.PARK, waiting.of("request-3"));
    assertEquals(Mode.YIELD, waiting.of("kernel-0"));
    assertEquals(Mode.SPIN, waiting.of("invoker-12"));
    assertEquals(Mode.SPIN, Waiting.all(Mode.SPIN).of("fused-1"));
    assertEquals(Mode.PARK, Waiting.all(Mode.SPIN).of("handlers-0"));
    assertEquals(Mode.SPIN, Waiting.parse("handlers=spin").of("handlers-0"));
  }
}

package dev.pinion.bootstrap.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.placement.IdleStrategies.IdleMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleStrategiesTest {
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
    assertEquals(text, IdleStrategies.parse(text).toString());
  }

  @Test
  void shouldParkStagesThatAreLeftOut() {
    assertEquals(
        new IdleStrategies(IdleMode.PARK, IdleMode.SPIN, IdleMode.PARK),
        IdleStrategies.parse("kernel=spin"));
    assertEquals(IdleStrategies.all(IdleMode.YIELD), IdleStrategies.parse("fused=yield"));
    assertEquals(
        new IdleStrategies(IdleMode.PARK, IdleMode.PARK, IdleMode.PARK, 1),
        IdleStrategies.parse("handlers=spin"));
    assertEquals(IdleStrategies.PARK, IdleStrategies.parse("handlers=park"));
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
    assertThrows(IllegalArgumentException.class, () -> IdleStrategies.parse(text));
  }

  @Test
  void shouldKnowTheLoopsOfEachStage() {
    IdleStrategies idleStrategies =
        new IdleStrategies(IdleMode.PARK, IdleMode.YIELD, IdleMode.SPIN);

    assertEquals(IdleMode.PARK, idleStrategies.of("request-3"));
    assertEquals(IdleMode.YIELD, idleStrategies.of("kernel-0"));
    assertEquals(IdleMode.SPIN, idleStrategies.of("invoker-12"));
    assertEquals(IdleMode.SPIN, IdleStrategies.all(IdleMode.SPIN).of("fused-1"));
    assertEquals(IdleMode.PARK, IdleStrategies.all(IdleMode.SPIN).of("handlers-0"));
    assertEquals(IdleMode.SPIN, IdleStrategies.parse("handlers=spin").of("handlers-0"));
  }
}

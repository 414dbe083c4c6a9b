package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackageGroupingTest {
  @ParameterizedTest
  @CsvSource({
    "2, dev.pinion.core.kernel.step.Stepper.turn, dev.pinion",
    "3, dev.pinion.core.kernel.step.Stepper.turn, dev.pinion.core",
    "4, dev.pinion.core.kernel.step.Stepper.turn, dev.pinion.core.kernel",
    "6, dev.pinion.core.kernel.step.Stepper.turn, dev.pinion.core.kernel.step",
    "4, Main.main, (no package)",
    "4, main, (no package)",
    "3, '(JIT compiler, not sampled)', '(JIT compiler, not sampled)'",
  })
  void shouldNameThePackageAtALevel(int level, String frame, String expected) {
    assertEquals(expected, new PackageGrouping(level, true).of(frame));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void shouldRefuseLevelsOutOfBounds(int level) {
    assertThrows(IllegalArgumentException.class, () -> new PackageGrouping(level, true));
  }

  @Test
  void shouldCollapseRunsOfOneLibrary() {
    List<String> stack =
        List.of("a.b.C.run", "a.b.D.call", "x.y.Z.parse", "x.y.w.V.next", "a.b.C.back");

    assertEquals(List.of("a.b", "x.y", "a.b"), new PackageGrouping(2, true).runs(stack));
    assertEquals(List.of("a.b", "x.y", "x.y.w", "a.b"), new PackageGrouping(3, true).runs(stack));
  }

  @Test
  void shouldFoldThePlatformIntoItsCallers() {
    List<String> stack =
        List.of(
            "java.lang.Thread.run",
            "a.b.C.run",
            "java.util.HashMap.put",
            "a.b.Key.hashCode",
            "sun.nio.ch.Net.poll");

    assertEquals(List.of("a.b"), new PackageGrouping(2, true).runs(stack));
    assertEquals(
        List.of("java.lang", "a.b", "java.util", "a.b", "sun.nio"),
        new PackageGrouping(2, false).runs(stack));
  }

  @Test
  void shouldKeepStacksOfThePlatformAlone() {
    List<String> stack = List.of("java.lang.Thread.run", "java.util.TimerThread.run");

    assertEquals(List.of("java.lang", "java.util"), new PackageGrouping(2, true).runs(stack));
  }
}

package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.interception.InterceptionPoint;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChainReferencesTest {
  @Test
  void shouldNameThePointsOfTheEngine() {
    assertEquals(
        new TreeSet<>(
            Arrays.stream(InterceptionPoint.values()).map(InterceptionPoint::label).toList()),
        new TreeSet<>(ChainReferences.POINTS));
  }

  @Test
  void shouldTakeChainsOfThePointAndOfNoneAndSayWhatIsWrongWithOthers() {
    Map<String, String> known = Map.of("in", "request-in", "free", "");
    assertNull(ChainReferences.problem("request-in", "in", known));
    assertNull(ChainReferences.problem("before-call", "free", known));
    assertNull(ChainReferences.problem("before-call", "none", Map.of()));
    String wrong = Objects.requireNonNull(ChainReferences.problem("before-call", "in", known));
    assertTrue(wrong.endsWith("found \"in\", which is for request-in"), wrong);
    String none = Objects.requireNonNull(ChainReferences.problem("before-call", "in", Map.of()));
    assertTrue(none.endsWith("no chains are in force (serve --handlers)"), none);
  }
}

package dev.pinion.broker.optimise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Expectation of a case, compared by its makers' rules: objectives relatively, a unique value of a
 * class as such, one that differs among optimal plans within its range; plans never.
 */
final class CaseExpectation {
  private static final double TOLERANCE = 1e-6;

  private final String where;
  private final JsonNode expected;

  CaseExpectation(String where, JsonNode expected) {
    this.where = where;
    this.expected = expected;
  }

  void matches(OptimalPlan found) {
    objective(expected.path("objective").asDouble(), found.objective());
    assertEquals(expected.path("classes").size(), found.classes().size(), where);
    for (ClassLevel level : found.classes()) {
      JsonNode one = expected.path("classes").path(level.id());
      value(one, level, "R", level.response());
      value(one, level, "lnD", level.logReliability());
      value(one, level, "C", level.cost());
      if (one.path("unique").path("lnD").asBoolean()) {
        assertEquals(one.path("D").asDouble(), level.reliability(), TOLERANCE, where);
      }
    }
  }

  /** Compares objectives. */
  void objective(double wanted, double found) {
    assertEquals(wanted, found, TOLERANCE * Math.max(1, Math.abs(wanted)), where);
  }

  private void value(JsonNode one, ClassLevel level, String name, double found) {
    String what = where + ": " + name + " of " + level.id();
    assertTrue(one.has(name), what);
    if (one.path("unique").path(name).asBoolean()) {
      assertEquals(one.path(name).asDouble(), found, TOLERANCE, what);
    } else {
      JsonNode range = one.path("range").path(name);
      assertTrue(found >= range.path(0).asDouble() - TOLERANCE, what + " is " + found);
      assertTrue(found <= range.path(1).asDouble() + TOLERANCE, what + " is " + found);
    }
  }
}

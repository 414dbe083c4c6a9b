package dev.pinion.bootstrap.conformance;

import java.time.Duration;

/**
 * The result of a scenario.
 *
 * @param scenario what was run
 * @param outcome how it ended
 * @param message reason of any outcome but passed; else empty
 * @param taken time it took
 */
public record ScenarioResult(
    Scenario scenario, ScenarioOutcome outcome, String message, Duration taken) {
  /** Whether it passed although its tags say that it cannot. */
  public boolean isUnexpectedPass() {
    boolean expected = scenario.isDeviation() || !scenario.missingFeatures().isEmpty();
    return outcome == ScenarioOutcome.PASSED && expected;
  }
}

package dev.pinion.bootstrap.conformance;

/** How a scenario ended. */
public enum ScenarioOutcome {
  PASSED("passed"),
  FAILED("failed"),
  /** It failed, and its tags name what the engine lacks. */
  UNSUPPORTED("unsupported"),
  /** It failed, as the engine differs from the specification on purpose. */
  DEVIATES("deviates"),
  /** It needs a program that is not installed. */
  SKIPPED("skipped");

  private final String label;

  ScenarioOutcome(String label) {
    this.label = label;
  }

  /** The outcome as reports name it. */
  public String label() {
    return label;
  }

  /** The outcome of a scenario that failed. */
  static ScenarioOutcome ofFailure(Scenario scenario) {
    if (scenario.isDeviation()) {
      return DEVIATES;
    }
    return scenario.missingFeatures().isEmpty() ? FAILED : UNSUPPORTED;
  }
}

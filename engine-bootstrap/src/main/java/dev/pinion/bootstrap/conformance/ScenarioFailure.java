package dev.pinion.bootstrap.conformance;

/** A scenario that did not go as it says; the message tells what was expected and found. */
final class ScenarioFailure extends Exception {
  private static final long serialVersionUID = 1L;

  ScenarioFailure(String message) {
    super(message);
  }

  /** The failure of an expectation. */
  static ScenarioFailure expected(Object expected, Object found) {
    return new ScenarioFailure("expected " + expected + ", found " + found);
  }
}

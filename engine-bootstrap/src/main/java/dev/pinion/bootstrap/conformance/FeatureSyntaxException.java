package dev.pinion.bootstrap.conformance;

/** A feature file that is no Gherkin; the message names file, line and what was expected. */
public final class FeatureSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  FeatureSyntaxException(String message) {
    super(message);
  }
}

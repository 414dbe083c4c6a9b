package dev.pinion.broker.model;

import java.util.Arrays;
import java.util.Optional;

/** Cooperation of the services of an implementation. */
public enum CoordinationPattern {
  /** One service. */
  SINGLE("single", ">"),

  /** One after the other, until one succeeds. */
  ALTERNATE("alt", ">"),

  /** All at once; the first success counts. */
  PARALLEL("par", "|");

  private final String label;
  private final String separator;

  CoordinationPattern(String label, String separator) {
    this.label = label;
    this.separator = separator;
  }

  /** Its name in documents. */
  public String label() {
    return label;
  }

  /** Separator of the services in the name of an implementation. */
  String separator() {
    return separator;
  }

  /** The pattern of a name in documents. */
  public static Optional<CoordinationPattern> named(String label) {
    return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
  }
}

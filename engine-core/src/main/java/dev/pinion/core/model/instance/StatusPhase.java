package dev.pinion.core.model.instance;

import java.util.Locale;

/** A phase of a workflow or a task (DSL, "Status Phases"). */
public enum StatusPhase {
  /** It was initiated and has done nothing yet. */
  PENDING,
  /** It is in progress. */
  RUNNING,
  /** It waits for a time or for events. */
  WAITING,
  /** It was halted until it is resumed. */
  SUSPENDED,
  /** It was ended before its completion. */
  CANCELLED,
  /** It ended with an error. */
  FAULTED,
  /** It ran to its end. */
  COMPLETED;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The word of the specification. */
  public String label() {
    return label;
  }
}

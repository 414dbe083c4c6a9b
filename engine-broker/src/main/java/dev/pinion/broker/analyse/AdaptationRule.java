package dev.pinion.broker.analyse;

import java.util.Locale;

/**
 * The event-condition-action rules, by the names of the log and the documentation; thresholds are
 * in {@link Analyzer}.
 */
public enum AdaptationRule {
  /** A service is slower or faster than planned. */
  SERVICE_TIME(Action.SOLVE),
  /** A service fails more or less often than planned. */
  SERVICE_RELIABILITY(Action.SOLVE),
  /** A service that was planned by observations was not called for long. */
  SERVICE_UNPROVEN(Action.SOLVE),
  /** A service does not answer probes. */
  SERVICE_DOWN(Action.REPAIR_AND_SOLVE),
  /** A service answers probes again. */
  SERVICE_UP(Action.SOLVE),
  /** Requests of a class take other paths than planned. */
  PATHS(Action.SOLVE),
  /** Flows of a class take longer or shorter than planned, relative to their longest branch. */
  FLOWS(Action.SOLVE),
  /** A class sends more than was contracted. */
  ARRIVALS(Action.NOTE),
  /** The mean time of a class is about to exceed its bound. */
  TREND(Action.SOLVE),
  /** A class did not reach its levels. */
  LEVELS(Action.SOLVE);

  /** Actions. */
  public enum Action {
    /** It is recorded; a solution would not help. */
    NOTE,
    /** The optimiser is called, as soon as the gate opens. */
    SOLVE,
    /** The table is repaired at once; then like {@link #SOLVE}. */
    REPAIR_AND_SOLVE
  }

  private final Action action;

  AdaptationRule(Action action) {
    this.action = action;
  }

  /** The action of the rule. */
  public Action action() {
    return action;
  }

  /**
   * Whether the rule is about a service that has gone or come back, for which tables never wait.
   */
  public boolean isLiveness() {
    return this == SERVICE_DOWN || this == SERVICE_UP;
  }

  /** Its name for machines. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

package dev.pinion.broker.adapt;

import java.util.Locale;

/**
 * The event-condition-action rules, as they are told and documented; thresholds are in {@link
 * Analyst}.
 */
public enum Rule {
  /** A service is slower or faster than planned with. */
  SERVICE_TIME(Action.SOLVE),
  /** A service fails more or less often than planned with. */
  SERVICE_RELIABILITY(Action.SOLVE),
  /** A service that was planned with by what it showed was not called for long. */
  SERVICE_UNPROVEN(Action.SOLVE),
  /** A service does not answer probes. */
  SERVICE_DOWN(Action.REPAIR_AND_SOLVE),
  /** A service answers probes again. */
  SERVICE_UP(Action.SOLVE),
  /** Requests of a class go other ways than planned with. */
  PATHS(Action.SOLVE),
  /** Flows take a class longer, or shorter, than planned with beside their longest branch. */
  FLOWS(Action.SOLVE),
  /** A class sends more than was contracted. */
  ARRIVALS(Action.NOTE),
  /** The mean time of a class is about to cross its bound. */
  TREND(Action.SOLVE),
  /** A class did not have its levels. */
  LEVELS(Action.SOLVE);

  /** What follows. */
  public enum Action {
    /** It is told; a solution would not help. */
    NOTE,
    /** The optimiser is asked, as soon as the gate opens. */
    SOLVE,
    /** The table is repaired at once; then as {@link #SOLVE}. */
    REPAIR_AND_SOLVE
  }

  private final Action action;

  Rule(Action action) {
    this.action = action;
  }

  /** What follows. */
  public Action action() {
    return action;
  }

  /** Whether it tells that a service has gone or come back, which no table waits for. */
  public boolean isLiveness() {
    return this == SERVICE_DOWN || this == SERVICE_UP;
  }

  /** Its name for machines. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

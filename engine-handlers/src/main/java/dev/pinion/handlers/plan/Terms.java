package dev.pinion.handlers.plan;

import org.jspecify.annotations.Nullable;

/**
 * How messages wait for a chain and pass through it.
 *
 * @param priority name of the property whose number says who comes first, the higher the sooner;
 *     null when messages come in the order of their arrival
 * @param window how many may be under way at once; {@value #ADAPTIVE} to find that out, {@value
 *     #CPUS} for as many as there are workers
 * @param sideBySide when the handlers of a stage are handed to several workers
 */
public record Terms(@Nullable String priority, int window, SideBySide sideBySide) {
  /** Window that follows what is measured. */
  public static final int ADAPTIVE = 0;

  /** Window of as many messages as workers. */
  public static final int CPUS = -1;

  /** In order of arrival, as many as CPUs, side by side where it pays. */
  public static final Terms DEFAULT = new Terms(null, CPUS, SideBySide.AUTO);

  /** When the handlers of a stage are handed to several workers. */
  public enum SideBySide {
    /** Where it is measured to pay. */
    AUTO,
    /** Always: as far as there are workers. */
    ALWAYS,
    /** Never: one after another by one worker, with the same outcome. */
    NEVER
  }

  /** Checks the window. */
  public Terms {
    if (window < CPUS) {
      throw new IllegalArgumentException(
          "expected a window of at least 1, or " + ADAPTIVE + " or " + CPUS + ", found " + window);
    }
  }
}

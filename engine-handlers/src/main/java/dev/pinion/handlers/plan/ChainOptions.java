package dev.pinion.handlers.plan;

import org.jspecify.annotations.Nullable;

/**
 * Terms of queueing and parallelism of a chain.
 *
 * @param priority name of the property with the priority, the higher the sooner; null for the order
 *     of arrival
 * @param window the most messages under way at once; {@value #ADAPTIVE} to find that out, {@value
 *     #CPUS} for as many as there are workers
 * @param sideBySide when the handlers of a stage are distributed over several workers
 */
public record ChainOptions(@Nullable String priority, int window, SideBySide sideBySide) {
  /** Window that adapts to measurements. */
  public static final int ADAPTIVE = 0;

  /** Window of as many messages as workers. */
  public static final int CPUS = -1;

  /** In order of arrival, as many as CPUs, in parallel where it pays. */
  public static final ChainOptions DEFAULT = new ChainOptions(null, CPUS, SideBySide.AUTO);

  /** When the handlers of a stage are distributed over several workers. */
  public enum SideBySide {
    /** Where measurements show a benefit. */
    AUTO,
    /** Always, as far as there are workers. */
    ALWAYS,
    /** Never: one after another by one worker, with the same outcome. */
    NEVER
  }

  /** Checks the window. */
  public ChainOptions {
    if (window < CPUS) {
      throw new IllegalArgumentException(
          "expected a window of at least 1, or " + ADAPTIVE + " or " + CPUS + ", found " + window);
    }
  }
}

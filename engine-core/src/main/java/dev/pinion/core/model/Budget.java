package dev.pinion.core.model;

/**
 * What one evaluation of an expression may spend, in steps.
 *
 * <p>A step is about one visit of a syntax node or one element of data touched, so a budget stops
 * an evaluation at the same point on every machine; no clock is read. Not for concurrent use.
 */
public final class Budget {
  private long stepsLeft;

  /**
   * A budget of a number of steps.
   *
   * @param steps steps that may be charged, positive
   */
  public Budget(long steps) {
    if (steps <= 0) {
      throw new IllegalArgumentException("expected a positive number of steps, found " + steps);
    }
    this.stepsLeft = steps;
  }

  /** A budget that is never spent, for tests and tools. */
  public static Budget unlimited() {
    return new Budget(Long.MAX_VALUE);
  }

  /**
   * Charges steps.
   *
   * @throws BudgetExceededException when fewer steps are left
   */
  public void charge(long steps) {
    stepsLeft -= steps;
    if (stepsLeft < 0) {
      throw BudgetExceededException.INSTANCE;
    }
  }

  /** Starts over with a number of steps, positive. */
  public void renew(long steps) {
    if (steps <= 0) {
      throw new IllegalArgumentException("expected a positive number of steps, found " + steps);
    }
    stepsLeft = steps;
  }

  /** Steps that may still be charged. */
  public long stepsLeft() {
    return stepsLeft;
  }
}

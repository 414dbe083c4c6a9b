package dev.pinion.core.model;

/**
 * What one evaluation of an expression may spend, in steps.
 *
 * <p>A step is about one visit of a syntax node or one element of data touched, so a budget stops
 * an evaluation at the same point on every machine; no clock is read. Not for concurrent use.
 */
public final class Budget {
  private static final long SPENT = -1;

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
   * Charges steps, 0 or more.
   *
   * @throws BudgetExceededException when fewer steps are left; from then on for every charge
   */
  public void charge(long steps) {
    if (steps > stepsLeft) {
      stepsLeft = SPENT;
      throw BudgetExceededException.INSTANCE;
    }
    stepsLeft -= steps;
  }

  /** Starts over with a number of steps, positive. */
  public void renew(long steps) {
    if (steps <= 0) {
      throw new IllegalArgumentException("expected a positive number of steps, found " + steps);
    }
    stepsLeft = steps;
  }

  /** Steps that may still be charged; negative when the budget was exceeded. */
  public long stepsLeft() {
    return stepsLeft;
  }
}

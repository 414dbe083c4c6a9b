package dev.pinion.core.model;

/**
 * Budget of one evaluation of an expression, in steps.
 *
 * <p>A step is about one visit of a syntax node or one element of data touched, so a budget stops
 * an evaluation at the same point on every machine; no clock is read. A long budget can be handed
 * out in slices, with a pause between them. Not for concurrent use.
 */
public final class Budget {
  private static final long SPENT = -1;

  private final long slice;
  private final Runnable pause;

  /** Steps left of the slice. */
  private long stepsLeft;

  private String spentAt = "";

  /** Steps left of later slices. */
  private long reserve;

  /**
   * A budget of a number of steps.
   *
   * @param steps steps that may be charged, positive
   */
  public Budget(long steps) {
    this(steps, positive(steps), () -> {});
  }

  private Budget(long steps, long slice, Runnable pause) {
    this.slice = slice;
    this.pause = pause;
    this.stepsLeft = Math.min(steps, slice);
    this.reserve = steps - stepsLeft;
  }

  /**
   * A budget handed out in slices, for an evaluation that shares its processor with others.
   *
   * @param steps steps that may be charged in all, positive
   * @param slice steps from one pause to the next, positive; one charge of more is not divided
   * @param pause action between slices, on the thread that charges
   */
  public static Budget inSlices(long steps, long slice, Runnable pause) {
    return new Budget(positive(steps), positive(slice), pause);
  }

  /** A budget that is never spent, for tests and tools. */
  public static Budget unlimited() {
    return new Budget(Long.MAX_VALUE);
  }

  /**
   * Charges steps, 0 or more.
   *
   * @throws BudgetExceededException when fewer steps are left, and for every later charge
   */
  public void charge(long steps) {
    if (steps > stepsLeft) {
      beginSlice(steps);
    }
    stepsLeft -= steps;
  }

  private void beginSlice(long steps) {
    if (steps > stepsLeft + reserve) {
      stepsLeft = SPENT;
      reserve = 0;
      throw BudgetExceededException.INSTANCE;
    }
    pause.run();
    long granted = Math.min(reserve, Math.max(slice, steps - stepsLeft));
    reserve -= granted;
    stepsLeft += granted;
  }

  /**
   * Stores the place in the expression at which the budget was exceeded; the innermost one counts.
   */
  public void spentAt(String place) {
    if (spentAt.isEmpty()) {
      spentAt = place;
    }
  }

  /** Place in the expression at which the budget was exceeded; empty when that is not known. */
  public String spentAt() {
    return spentAt;
  }

  /** Resets the budget to a number of steps, positive, in one slice. */
  public void renew(long steps) {
    stepsLeft = positive(steps);
    reserve = 0;
    spentAt = "";
  }

  /** Steps that may still be charged; negative when the budget was exceeded. */
  public long stepsLeft() {
    return stepsLeft + reserve;
  }

  private static long positive(long steps) {
    if (steps <= 0) {
      throw new IllegalArgumentException("expected a positive number of steps, found " + steps);
    }
    return steps;
  }
}

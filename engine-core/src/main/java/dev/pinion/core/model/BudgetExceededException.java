package dev.pinion.core.model;

/**
 * An exceeded evaluation budget. Carries no stack trace: on an event loop it is expected control
 * flow.
 */
public final class BudgetExceededException extends RuntimeException {
  /**
   * The only instance; without a stack trace or causes it holds nothing that could be stale or
   * shared.
   */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  public static final BudgetExceededException INSTANCE = new BudgetExceededException();

  private BudgetExceededException() {
    super("expression ran beyond its budget", null, false, false);
  }
}

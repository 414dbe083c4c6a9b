package dev.pinion.core.kernel.step.compensation;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.util.function.UnaryOperator;

/** The end of an instance that comes when its completed tasks are compensated. */
public final class PendingEnd {
  private final InstanceState outcome;
  private final int stepsBefore;
  private final int eventsBefore;

  /** Error for which tasks are compensated; JSON null while the instance is packed. */
  private Payload error;

  /**
   * An end.
   *
   * @param outcome state at the end, if every compensation succeeds: faulted or cancelled
   * @param error error for which tasks are compensated
   * @param stepsBefore tasks entered before: compensations have the limit for themselves
   * @param eventsBefore events before
   */
  public PendingEnd(InstanceState outcome, Payload error, int stepsBefore, int eventsBefore) {
    this.outcome = outcome;
    this.error = error;
    this.stepsBefore = stepsBefore;
    this.eventsBefore = eventsBefore;
  }

  /** State at the end, if every compensation succeeds: faulted or cancelled. */
  public InstanceState outcome() {
    return outcome;
  }

  /** Tasks entered before: compensations have the limit for themselves. */
  public int stepsBefore() {
    return stepsBefore;
  }

  /** Events before. */
  public int eventsBefore() {
    return eventsBefore;
  }

  /** Error for which tasks are compensated. */
  public Payload error() {
    return error;
  }

  /** Replaces the error. */
  public void replace(UnaryOperator<Payload> each) {
    error = each.apply(error);
  }
}

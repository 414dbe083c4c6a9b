package dev.pinion.core.kernel.step;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import java.util.function.UnaryOperator;

/** The end of an instance that comes when its completed tasks are compensated. */
final class PendingEnd {
  /** State at the end, if every compensation succeeds: faulted or cancelled. */
  final InstanceState outcome;

  /** Tasks entered before: compensations have the limit for themselves. */
  final int stepsBefore;

  /** Events before. */
  final int eventsBefore;

  /** Error for which tasks are compensated; JSON null while the instance is packed. */
  private Payload error;

  PendingEnd(InstanceState outcome, Payload error, int stepsBefore, int eventsBefore) {
    this.outcome = outcome;
    this.error = error;
    this.stepsBefore = stepsBefore;
    this.eventsBefore = eventsBefore;
  }

  /** Error for which tasks are compensated. */
  Payload error() {
    return error;
  }

  /** Replaces the error. */
  void replace(UnaryOperator<Payload> each) {
    error = each.apply(error);
  }
}

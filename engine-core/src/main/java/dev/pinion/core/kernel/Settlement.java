package dev.pinion.core.kernel;

import dev.pinion.core.ir.Node;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;

/**
 * Reconstructs the calls and evaluations that a serialized instance waits for: calls follow from
 * their tasks, evaluations from the phases that asked for them.
 */
final class Settlement {
  private final Stepper stepper;
  private final long maxSteps;

  /** Receiver of the calls and evaluations that instances wait for. */
  interface Outside {
    /**
     * Reports a call in progress.
     *
     * @param deliveries how often it had been made again by then
     */
    void called(Activity activity, int attempt, HttpCall call, int deliveries);

    /** Reports an evaluation in progress. */
    void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input);
  }

  /**
   * A settlement.
   *
   * @param stepper stepper that runs phases again
   * @param maxSteps most steps of one evaluation
   */
  Settlement(Stepper stepper, long maxSteps) {
    this.stepper = stepper;
    this.maxSteps = maxSteps;
  }

  /**
   * Settles an instance.
   *
   * @throws IllegalArgumentException when the state does not fit its definition
   */
  void settle(InstanceReader.Restored restored, Outside outside) {
    for (InstanceReader.Unsettled unsettled : restored.unsettled()) {
      settle(unsettled, outside);
    }
  }

  private void settle(InstanceReader.Unsettled unsettled, Outside outside) {
    Activity activity = unsettled.activity();
    if (activity.awaiting != 0 && activity.evaluating == 0) {
      HttpCall call = call(activity).evaluate(activity.input, activity, new Budget(maxSteps));
      stepper.waitsFor(activity, call);
      outside.called(activity, activity.awaiting, call, activity.deliveries);
      return;
    }
    if (activity.evaluating != 0 || !unsettled.answered().isEmpty()) {
      repeat(unsettled, outside);
    }
    if (unsettled.failed() != 0) {
      activity.rememberAgain(unsettled.failed(), null, unsettled.error());
    }
  }

  private void repeat(InstanceReader.Unsettled unsettled, Outside outside) {
    Activity activity = unsettled.activity();
    Repetition repetition = new Repetition(unsettled.answered(), activity.evaluating, maxSteps);
    stepper.repeat(activity, repetition);
    if (activity.evaluating != 0) {
      activity.asked = repetition.input();
      outside.evaluate(activity, activity.awaiting, repetition.expression(), repetition.input());
    }
  }

  private static Expression<HttpCall> call(Activity activity) {
    if (activity.node instanceof Node.Call task) {
      return task.call();
    }
    throw new IllegalArgumentException(
        "expected " + activity.node.common().pointer() + " to be a call, found " + activity.node);
  }
}

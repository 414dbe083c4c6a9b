package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.phase.PhaseReplay;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;

/**
 * Reconstructs the calls and evaluations that a serialized instance waits for: calls follow from
 * their tasks, evaluations from the phases that asked for them. Whoever continues the instance
 * finds out which of its children exist.
 */
public final class EffectResumption {
  private final Stepper stepper;
  private final long maxSteps;

  /** Receiver of the calls and evaluations that instances wait for. */
  public interface PendingEffects {
    /**
     * Reports a call in progress.
     *
     * @param deliveries how often it had been made again by then
     */
    void called(Activity activity, int attempt, CallRequest call, int deliveries);

    /** Reports a wait for a child, which may have been started. */
    void awaitsChild(Activity activity);

    /** Reports an activity that listens. */
    void listening(Activity activity);

    /** Reports an evaluation in progress. */
    void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input);
  }

  /**
   * A resumption.
   *
   * @param stepper stepper that runs phases again
   * @param maxSteps most steps of one evaluation
   */
  public EffectResumption(Stepper stepper, long maxSteps) {
    this.stepper = stepper;
    this.maxSteps = maxSteps;
  }

  /**
   * Has the effects of an instance resumed.
   *
   * @throws IllegalArgumentException when the state does not fit its definition
   */
  public void resume(
      InstanceReader.RestoredInstance restoredInstance, PendingEffects pendingEffects) {
    for (InstanceReader.PendingActivity pendingActivity : restoredInstance.unsettled()) {
      resume(pendingActivity, pendingEffects);
    }
    restoredInstance
        .instance()
        .forEachActivity(
            activity -> {
              if (activity.listening != null && !activity.listening.closed) {
                pendingEffects.listening(activity);
              }
            });
  }

  private void resume(
      InstanceReader.PendingActivity pendingActivity, PendingEffects pendingEffects) {
    Activity activity = pendingActivity.activity();
    if (activity.awaitsChild()) {
      pendingEffects.awaitsChild(activity);
      return;
    }
    if (activity.awaiting != 0 && activity.evaluating == 0) {
      CallRequest call = call(activity).evaluate(activity.input, activity, new Budget(maxSteps));
      stepper.awaitCall(activity, call);
      pendingEffects.called(activity, activity.awaiting, call, activity.deliveries);
      return;
    }
    if (activity.evaluating != 0 || !pendingActivity.answered().isEmpty()) {
      replayPhase(pendingActivity, pendingEffects);
    }
    if (pendingActivity.failed() != 0) {
      activity.restoreMemo(pendingActivity.failed(), null, pendingActivity.error());
    }
  }

  private void replayPhase(
      InstanceReader.PendingActivity pendingActivity, PendingEffects pendingEffects) {
    Activity activity = pendingActivity.activity();
    PhaseReplay phaseReplay =
        new PhaseReplay(pendingActivity.answered(), activity.evaluating, maxSteps);
    stepper.replayPhase(activity, phaseReplay);
    if (activity.evaluating != 0) {
      activity.evaluationInput = phaseReplay.input();
      pendingEffects.evaluate(
          activity, activity.awaiting, phaseReplay.expression(), phaseReplay.input());
    }
  }

  private static Expression<? extends CallRequest> call(Activity activity) {
    if (activity.node instanceof Node.Call task) {
      return task.call();
    }
    if (activity.node instanceof Node.Emit task) {
      return task.event();
    }
    if (activity.node instanceof Node.Subscribe task) {
      return (input, scope, budget) ->
          SubscribeTask.request(activity, task.source().evaluate(input, scope, budget));
    }
    throw new IllegalArgumentException(
        "expected "
            + activity.node.attributes().pointer()
            + " to be a call, found "
            + activity.node);
  }
}

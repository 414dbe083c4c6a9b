package dev.pinion.core.kernel;

import dev.pinion.core.ir.Node;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;

/**
 * Behaviour of each kind of task between its input and its output, and its reaction when something
 * inside it ends.
 */
final class Bodies {
  private final Activities activities;
  private final EffectSink effects;
  private final Evaluation evaluation;
  private final Holdings holdings;
  private final Bounds bounds;
  private final Loops loops;
  private final Forks forks;
  private final Tries tries;

  Bodies(
      Activities activities,
      EngineLimits limits,
      EffectSink effects,
      Evaluation evaluation,
      Holdings holdings,
      Bounds bounds) {
    this.activities = activities;
    this.effects = effects;
    this.evaluation = evaluation;
    this.holdings = holdings;
    this.bounds = bounds;
    this.loops = new Loops(activities, limits, evaluation, holdings, bounds);
    this.forks = new Forks(activities, limits, evaluation, holdings, bounds);
    this.tries = new Tries(activities, evaluation, holdings, bounds);
  }

  /** Runs the body as far as possible; returns whether the raw output is available. */
  boolean run(Activity activity) {
    boolean done =
        switch (activity.node) {
          case Node.Do task -> {
            activities.enter(activity, activity.branch, task.body(), 0, activity.input);
            yield false;
          }
          case Node.Set task -> set(activity, task);
          case Node.Call task -> call(activity, task);
          case Node.Switch task -> choose(activity, task);
          case Node.For task -> loops.run(activity, task);
          case Node.Fork task -> forks.fork(activity, task);
          case Node.ParallelForEach task -> forks.forEach(activity, task);
          case Node.Try task -> tries.run(activity, task);
          case Node.Raise task ->
              throw new ExpressionException(evaluation.of(activity, task.error(), activity.input));
          case Node.Wait task -> pause(activity, task);
        };
    if (done) {
      activity.enter(Phase.EXIT);
    }
    return done;
  }

  private boolean set(Activity activity, Node.Set task) {
    activity.rawOutput = bounds.checked(evaluation.of(activity, task.value(), activity.input));
    return true;
  }

  private boolean call(Activity activity, Node.Call task) {
    HttpCall call = evaluation.of(activity, task.call(), activity.input);
    if (call.body() != null) {
      bounds.checked(call.body());
    }
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    activity.deliveries = CallNames.attemptsBefore(activity);
    activity.namedByNumber = false;
    holdings.keepCall(activity, call);
    activity.instance.busy(1);
    effects.invoke(activity, attempt, call);
    return false;
  }

  private boolean choose(Activity activity, Node.Switch task) {
    for (Node.Case option : task.cases()) {
      if (evaluation.holds(activity, option.when(), activity.input)) {
        activity.next = option.then();
        break;
      }
    }
    activity.rawOutput = activity.input;
    return true;
  }

  private boolean pause(Activity activity, Node.Wait task) {
    long delayNanos =
        bounds.checkedDelay(evaluation.of(activity, task.durationNanos(), activity.input));
    activity.rawOutput = activity.input;
    if (delayNanos == 0) {
      return true;
    }
    activities.startTimer(activity, Activity.DELAY, delayNanos);
    return false;
  }

  /** Handles the error of a {@code try}; returns whether the try can continue at once. */
  boolean handleError(Activity activity) {
    return tries.handleError(activity, (Node.Try) activity.node);
  }

  /** Fails an attempt of a {@code try} that ran out of time. */
  void failAttempt(Activity activity, WorkflowError error) {
    tries.failAttempt(activity, error);
  }

  /** Ends the delay of a {@code wait} or of a retry. */
  void delayEnded(Activity activity) {
    if (activity.node instanceof Node.Try) {
      activities.makeReady(activity, Phase.BODY);
    } else {
      activities.makeReady(activity, Phase.EXIT);
    }
  }

  /** Handles the end of a block inside a task. */
  void blockEnded(Activity parent, Branch branch, Payload output) {
    switch (parent.node) {
      case Node.For task -> loops.iterationEnded(parent, output);
      case Node.ParallelForEach task -> forks.branchEnded(parent, branch, output);
      case Node.Try task -> tries.blockEnded(parent, task, output);
      default -> {
        parent.rawOutput = output;
        activities.makeReady(parent, Phase.EXIT);
      }
    }
  }

  /** Handles the end of a branch of a fork. */
  void branchEnded(Activity parent, Branch branch, Payload output) {
    forks.branchEnded(parent, branch, output);
  }

  /** Whether {@link #absorbs} would return true now. */
  boolean wouldAbsorb(Activity activity) {
    return switch (activity.node) {
      case Node.Try _ -> tries.wouldAbsorb(activity);
      case Node.Fork task when task.compete() -> forks.wouldLoseBranch(activity);
      default -> false;
    };
  }

  /** Whether an activity stops the error of something inside it from spreading; records it then. */
  boolean absorbs(Activity activity, WorkflowError error) {
    return switch (activity.node) {
      case Node.Try task -> tries.absorbs(activity, error);
      case Node.Fork task when task.compete() -> forks.losesBranch(activity);
      default -> false;
    };
  }
}

package dev.pinion.core.kernel;

import dev.pinion.core.ir.Node;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.BindingSource;
import java.util.concurrent.TimeUnit;

/**
 * What each kind of task does between its input and its output, and what it does when something
 * inside it ends.
 */
final class Bodies {
  private static final String ABSTRACT_SCHEME = "svc://";

  private final Stepper stepper;
  private final BindingSource bindings;
  private final EffectSink effects;
  private final Evaluation evaluation;
  private final long maxDelayNanos;
  private final Loops loops;
  private final Forks forks;
  private final Tries tries;

  Bodies(
      Stepper stepper,
      EngineLimits limits,
      BindingSource bindings,
      EffectSink effects,
      Evaluation evaluation,
      Holdings holdings) {
    this.stepper = stepper;
    this.bindings = bindings;
    this.effects = effects;
    this.evaluation = evaluation;
    this.maxDelayNanos = TimeUnit.DAYS.toNanos(limits.instance().maxTimerDays());
    this.loops = new Loops(stepper, limits, evaluation, holdings);
    this.forks = new Forks(stepper, limits, evaluation, holdings);
    this.tries = new Tries(stepper, evaluation, maxDelayNanos);
  }

  /** Runs the body as far as it goes; returns whether the raw output is there. */
  boolean run(Activity activity) {
    boolean done =
        switch (activity.node) {
          case Node.Do task -> {
            stepper.enter(activity, activity.branch, task.body(), 0, activity.input);
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
    activity.rawOutput = evaluation.of(activity, task.value(), activity.input);
    return true;
  }

  private boolean call(Activity activity, Node.Call task) {
    HttpCall call = bound(evaluation.of(activity, task.call(), activity.input));
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.instance.busy(1);
    effects.invoke(activity, attempt, call);
    return false;
  }

  /** Puts the concrete endpoint in the place of an abstract one. */
  private HttpCall bound(HttpCall call) {
    if (!call.uri().startsWith(ABSTRACT_SCHEME)) {
      return call;
    }
    String rest = call.uri().substring(ABSTRACT_SCHEME.length());
    int end = endOfName(rest);
    String service = rest.substring(0, end);
    String base =
        bindings
            .current()
            .endpoint(service)
            .orElseThrow(
                () ->
                    new ExpressionException(
                        WorkflowError.of(
                            ErrorType.CONFIGURATION,
                            "expected a binding of the abstract service \""
                                + service
                                + "\", found none")));
    return new HttpCall(
        call.method(),
        base + rest.substring(end),
        call.headers(),
        call.body(),
        call.output(),
        call.acceptRedirects());
  }

  private static int endOfName(String rest) {
    int end = 0;
    while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
      end++;
    }
    return end;
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
    long delayNanos = checkedDelay(evaluation.of(activity, task.durationNanos(), activity.input));
    activity.rawOutput = activity.input;
    if (delayNanos == 0) {
      return true;
    }
    stepper.startTimer(activity, Activity.DELAY, delayNanos);
    return false;
  }

  /** A delay that a timer may have, else an error that names the limit. */
  long checkedDelay(long delayNanos) {
    if (delayNanos > maxDelayNanos) {
      long days = TimeUnit.NANOSECONDS.toDays(maxDelayNanos);
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.RUNTIME,
              "expected a time of at most "
                  + days
                  + " days (instance.maxTimerDays), found "
                  + TimeUnit.NANOSECONDS.toDays(delayNanos)));
    }
    return delayNanos;
  }

  /** Decides about the error of a {@code try}; returns whether it can go on at once. */
  boolean handleError(Activity activity) {
    return tries.handleError(activity, (Node.Try) activity.node);
  }

  /** An attempt of a {@code try} ran out of time. */
  void failAttempt(Activity activity, WorkflowError error) {
    tries.failAttempt(activity, error);
  }

  /** The delay of a {@code wait} or of a retry is over. */
  void delayEnded(Activity activity) {
    if (activity.node instanceof Node.Try) {
      stepper.makeReady(activity, Phase.BODY);
    } else {
      stepper.makeReady(activity, Phase.EXIT);
    }
  }

  /** A block inside a task has ended. */
  void blockEnded(Activity parent, Branch branch, Payload output) {
    switch (parent.node) {
      case Node.For task -> loops.iterationEnded(parent, output);
      case Node.ParallelForEach task -> forks.branchEnded(parent, branch, output);
      case Node.Try task -> tries.blockEnded(parent, task, output);
      default -> {
        parent.rawOutput = output;
        stepper.makeReady(parent, Phase.EXIT);
      }
    }
  }

  /** A branch of a fork has ended. */
  void branchEnded(Activity parent, Branch branch, Payload output) {
    forks.branchEnded(parent, branch, output);
  }

  /** Whether an activity keeps the error of something inside it from spreading. */
  boolean absorbs(Activity activity, WorkflowError error) {
    return switch (activity.node) {
      case Node.Try task -> tries.absorbs(activity, error);
      case Node.Fork task when task.compete() -> forks.losesBranch(activity);
      default -> false;
    };
  }
}

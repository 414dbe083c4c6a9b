package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;

/**
 * Behaviour of each kind of task between its input and its output, and its reaction when something
 * inside it ends. For, fork, try, listen, subscriptions and schedules have classes of their own.
 */
final class TaskBehaviours {
  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final ForTask forTask;
  private final ForkTask forkTask;
  private final TryTask tryTask;
  private final ListenTask listenTask;
  private final ScheduleTask scheduleTask;
  private final SubscribeTask subscribeTask;

  TaskBehaviours(
      ActivityTree activityTree,
      EngineLimits limits,
      EffectSink effects,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota,
      Compensator compensator) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.forTask =
        new ForTask(activityTree, limits, expressionEvaluator, memoryAccount, instanceQuota);
    this.forkTask =
        new ForkTask(
            activityTree, limits, expressionEvaluator, memoryAccount, instanceQuota, compensator);
    this.tryTask =
        new TryTask(
            activityTree, effects, expressionEvaluator, memoryAccount, instanceQuota, compensator);
    this.listenTask =
        new ListenTask(
            activityTree, limits, effects, expressionEvaluator, memoryAccount, instanceQuota);
    this.scheduleTask =
        new ScheduleTask(
            activityTree,
            limits,
            effects,
            memoryAccount,
            listenTask,
            new ScheduledEvents(limits, expressionEvaluator, memoryAccount, instanceQuota));
    this.subscribeTask =
        new SubscribeTask(
            activityTree, limits, effects, expressionEvaluator, memoryAccount, instanceQuota);
  }

  /** Runs the body as far as possible; returns whether the raw output is available. */
  boolean run(Activity activity) {
    boolean done =
        switch (activity.node) {
          case Node.Do task -> {
            activityTree.enter(activity, activity.branch, task.body(), 0, activity.input);
            yield false;
          }
          case Node.Set task -> set(activity, task);
          case Node.Call task -> call(activity, task.call());
          case Node.Subscribe task -> subscribeTask.run(activity, task);
          case Node.RunWorkflow task -> runWorkflow(activity, task);
          case Node.Schedule task -> {
            scheduleTask.run(activity, task);
            yield false;
          }
          case Node.Emit task -> call(activity, task.event());
          case Node.Listen task -> listenTask.run(activity, task);
          case Node.Switch task -> choose(activity, task);
          case Node.For task -> forTask.run(activity, task);
          case Node.Fork task -> forkTask.fork(activity, task);
          case Node.ParallelForEach task -> forkTask.forEach(activity, task);
          case Node.Try task -> tryTask.run(activity, task);
          case Node.Raise task ->
              throw new ExpressionException(
                  expressionEvaluator.evaluate(activity, task.error(), activity.input));
          case Node.Wait task -> pause(activity, task);
        };
    if (done) {
      activity.enter(ActivityPhase.EXIT);
    }
    return done;
  }

  private boolean set(Activity activity, Node.Set task) {
    activity.rawOutput =
        instanceQuota.checked(expressionEvaluator.evaluate(activity, task.value(), activity.input));
    return true;
  }

  private boolean call(Activity activity, Expression<? extends CallRequest> made) {
    CallRequest call = expressionEvaluator.evaluate(activity, made, activity.input);
    if (call.body() != null) {
      instanceQuota.checked(call.body());
    }
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    activity.deliveries = CallIdempotencyKeys.attemptsBefore(activity);
    activity.namedByNumber = false;
    memoryAccount.chargeCall(activity, call);
    activity.instance.pending(1);
    effects.invoke(activity, attempt, call);
    return false;
  }

  /** Waits for another instance; not counted as busy, because a child may take any time. */
  private boolean runWorkflow(Activity activity, Node.RunWorkflow task) {
    ChildStart start = expressionEvaluator.evaluate(activity, task.start(), activity.input);
    instanceQuota.checked(start.input());
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    memoryAccount.chargeCall(activity, start);
    effects.startChild(activity, attempt, start);
    return false;
  }

  /** Handles the answer to a call, or the end of a child. */
  void answered(Activity activity, Payload output) {
    if (activity.node instanceof Node.Subscribe) {
      subscribeTask.received(activity, output);
      return;
    }
    activity.rawOutput = rawOutput(activity, output);
    if (activity.node instanceof Node.Emit) {
      effects.emitted(activity, output);
    }
    activityTree.makeReady(activity, ActivityPhase.EXIT);
  }

  /** The output of a task, before {@code output.as}, whose call or child has yielded a value. */
  private static Payload rawOutput(Activity activity, Payload yielded) {
    if (!(activity.node instanceof Node.RunWorkflow run)) {
      return yielded;
    }
    if (!run.await()) {
      return activity.input;
    }
    return run.returns() ? yielded : Payload.NULL;
  }

  /** Whether the failure of the awaited call is as good as an answer. */
  boolean ignoresFailure(Activity activity) {
    return activity.node instanceof Node.Subscribe && SubscribeTask.isLeaving(activity);
  }

  private boolean choose(Activity activity, Node.Switch task) {
    for (Node.Case option : task.cases()) {
      if (expressionEvaluator.isTrue(activity, option.when(), activity.input)) {
        activity.next = option.then();
        break;
      }
    }
    activity.rawOutput = activity.input;
    return true;
  }

  private boolean pause(Activity activity, Node.Wait task) {
    long delayNanos =
        instanceQuota.checkedDelay(
            expressionEvaluator.evaluate(activity, task.durationNanos(), activity.input));
    activity.rawOutput = activity.input;
    if (delayNanos == 0) {
      return true;
    }
    activityTree.startTimer(activity, Activity.DELAY, delayNanos);
    return false;
  }

  /** Receives an event; returns whether the task wants it. */
  boolean receive(Activity activity, Event.EventReceived received) {
    return switch (activity.node) {
      case Node.Listen task -> listenTask.receive(activity, task, received);
      case Node.Schedule task -> scheduleTask.receive(activity, task, received);
      default -> false;
    };
  }

  /** Handles the error of a {@code try}; returns whether the try can continue at once. */
  boolean handleError(Activity activity) {
    return tryTask.handleError(activity, (Node.Try) activity.node);
  }

  /** Fails an attempt of a {@code try} that ran out of time. */
  void failAttempt(Activity activity, WorkflowError error) {
    tryTask.failAttempt(activity, error);
  }

  /**
   * Ends the delay of a {@code wait}, of a retry, of a schedule, or before the beginning, or the
   * time of a subscription.
   */
  void onDelayElapsed(Activity activity) {
    switch (activity.node) {
      case Node.Try _ -> activityTree.makeReady(activity, ActivityPhase.BODY);
      case Node.Schedule task -> scheduleTask.due(activity, task);
      case Node.Subscribe _ -> subscribeTask.elapsed(activity);
      default -> {
        boolean begins = activity.parent == null;
        activityTree.makeReady(activity, begins ? ActivityPhase.ENTRY : ActivityPhase.EXIT);
      }
    }
  }

  /** Handles what became of a run of a schedule. */
  void runReported(Activity activity, Node.Schedule task, CallOutcome outcome) {
    scheduleTask.reported(activity, task, outcome);
  }

  /** Handles that an instance was suspended or resumed. */
  void suspended(Instance instance) {
    Node.Schedule task = instance.graph.scheduleTask();
    if (task != null && instance.suspended) {
      scheduleTask.pause(instance);
    } else if (task != null) {
      scheduleTask.resume(instance, task);
    }
  }

  /** Handles the end of a block inside a task. */
  void onBlockCompleted(Activity parent, Branch branch, Payload output) {
    switch (parent.node) {
      case Node.For task -> forTask.iterationEnded(parent, output);
      case Node.Subscribe _ -> subscribeTask.blockEnded(parent, output);
      case Node.ParallelForEach task -> forkTask.branchEnded(parent, branch, output);
      case Node.Try task -> tryTask.blockEnded(parent, task, output);
      case Node.Listen _ -> listenTask.blockEnded(parent, output);
      default -> {
        parent.rawOutput = output;
        activityTree.makeReady(parent, ActivityPhase.EXIT);
      }
    }
  }

  /** Handles the end of a branch of a fork. */
  void onBranchCompleted(Activity parent, Branch branch, Payload output) {
    forkTask.branchEnded(parent, branch, output);
  }

  /** Whether {@link #catchesError} would return true now. */
  boolean wouldCatch(Activity activity) {
    return switch (activity.node) {
      case Node.Try _ -> tryTask.wouldAbsorb(activity);
      case Node.Fork task when task.compete() -> forkTask.wouldLoseBranch(activity);
      default -> false;
    };
  }

  /** Whether an activity stops the error of something inside it from spreading; records it then. */
  boolean catchesError(Activity activity, WorkflowError error) {
    return switch (activity.node) {
      case Node.Try task -> tryTask.absorbs(activity, error);
      case Node.Fork task when task.compete() -> forkTask.losesBranch(activity);
      default -> false;
    };
  }
}

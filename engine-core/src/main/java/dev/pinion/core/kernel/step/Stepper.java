package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.kernel.step.phase.EvaluationPendingException;
import dev.pinion.core.kernel.step.phase.PhaseReplay;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.core.spi.ProfilingHook.Component;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Transition logic: from an instance and an event to a changed instance and effects. Synchronous,
 * deterministic, without I/O, clock or lock; the same events in the same order give the same state
 * and the same effects.
 *
 * <p>An event changes one activity and makes some ready; a turn then runs ready activities, each as
 * far as it goes. An event may come while activities are ready, so that an instance with much to do
 * can be cancelled and runs out of time; the progress of the instance is part of the event's record
 * and makes the order of a replay the same however long its turns are.
 */
public final class Stepper {
  /** Cost of running one activity beside its expressions, in steps of expressions. */
  private static final int STEPS_PER_ADVANCE = 20;

  private final EffectSink effects;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final ActivityTree activityTree;
  private final DataFlow dataFlow;
  private final Compensator compensator;
  private final TaskBehaviours taskBehaviours;
  private final ErrorPropagation errors;

  public Stepper(EngineLimits limits, EffectSink effects, MemoryAccount memoryAccount) {
    this.effects = effects;
    this.expressionEvaluator = new ExpressionEvaluator(effects, limits.expression().loopSteps());
    this.memoryAccount = memoryAccount;
    this.activityTree = new ActivityTree(limits.instance(), effects, memoryAccount);
    this.instanceQuota = new InstanceQuota(limits);
    this.dataFlow = new DataFlow(expressionEvaluator, activityTree, memoryAccount, instanceQuota);
    this.compensator = new Compensator(activityTree, memoryAccount);
    this.taskBehaviours =
        new TaskBehaviours(
            activityTree,
            limits,
            effects,
            expressionEvaluator,
            memoryAccount,
            instanceQuota,
            compensator);
    this.errors =
        new ErrorPropagation(
            limits, activityTree, taskBehaviours, compensator, instanceQuota, expressionEvaluator);
  }

  /** Work done so far by all instances, in steps of expressions. */
  public long spent() {
    return expressionEvaluator.spent();
  }

  /** Stores the call for which an activity that was read from its state waits. */
  void awaitCall(Activity activity, CallRequest call) {
    memoryAccount.chargeCall(activity, call);
  }

  /** Begins an instance; turns do the rest. */
  public void start(Instance instance) {
    effects.changed(instance, EventKind.INSTANCE_STARTED);
    memoryAccount.started(instance);
    activityTree.enterRoot(instance, instance.graph.root(), delayNanos(instance));
  }

  /** Time until an instance begins: one of the past makes it begin at once. */
  private static long delayNanos(Instance instance) {
    long startAt = instance.startAtEpochMillis();
    return startAt == 0
        ? 0
        : TimeUnit.MILLISECONDS.toNanos(Math.max(0, startAt - instance.nowEpochMillis));
  }

  /**
   * Applies an event to an instance.
   *
   * @param epochMillis wall-clock time of the event
   * @return whether the event had an effect; false for one that came too late
   */
  public boolean apply(Instance instance, Event.Trigger event, long epochMillis) {
    if (instance.hasEnded()) {
      return false;
    }
    instance.nowEpochMillis = epochMillis;
    instance.events++;
    return switch (event) {
      case Event.Cancelled cancelled -> cancel(instance, cancelled.compensates());
      case Event.Suspended _ -> suspend(instance, true);
      case Event.Resumed _ -> suspend(instance, false);
      case Event.Retried _ -> resume(instance);
      case Event.CallCompleted _ when activityTree.isOverQuota(instance) -> true;
      case Event.ExpressionEvaluated _ when activityTree.isOverQuota(instance) -> true;
      case Event.TimerFired _ when activityTree.isOverQuota(instance) -> true;
      case Event.CallCompleted done -> onCallCompleted(instance, done);
      case Event.ExpressionEvaluated evaluated -> onExpressionEvaluated(instance, evaluated);
      case Event.TimerFired fired -> onTimerFired(instance, fired);
      case Event.EventReceived _ when activityTree.isOverQuota(instance) -> true;
      case Event.EventReceived received -> onEventReceived(instance, received);
    };
  }

  /**
   * Ends an instance at once, or when its completed tasks are compensated; returns whether the
   * cancellation had an effect. It ends a suspension, also of one that compensates already: an
   * instance compensates until it is suspended once more.
   */
  private boolean cancel(Instance instance, boolean compensates) {
    if (!compensates) {
      activityTree.finish(instance, InstanceState.CANCELLED, null, null);
      return true;
    }
    if (instance.isCompensating()) {
      return instance.suspended && suspend(instance, false);
    }
    instance.suspended = false;
    WorkflowError reason = Compensator.cancelled("the instance was cancelled", "/");
    activityTree.leave(instance, InstanceState.CANCELLED, reason);
    return true;
  }

  /**
   * Reports the tasks that ended with the instance as running again and ends a suspension; the task
   * that failed begins now.
   */
  private boolean resume(Instance instance) {
    instance.suspended = false;
    effects.changed(instance, EventKind.INSTANCE_RETRIED);
    Activity failed = instance.ready.getLast(); // see rewind
    failed.restart(failed.earlierAttempts);
    Deque<Activity> left = new ArrayDeque<>();
    for (Activity next = instance.root; next != null; next = left.poll()) {
      if (next.parent != null) {
        effects.entered(next);
      }
      for (Activity child = next.firstChild; child != null; child = child.nextSibling) {
        left.push(child);
      }
    }
    return true;
  }

  /**
   * Runs ready activities, within the bounds of one turn; none of a suspended instance.
   *
   * @param maxAdvances the most activities to run, positive
   * @return whether more is ready and may run
   */
  public boolean turn(Instance instance, int maxAdvances) {
    if (instance.suspended) {
      return false;
    }
    expressionEvaluator.beginTurn();
    for (int left = maxAdvances; left > 0 && !expressionEvaluator.turnIsSpent(); left--) {
      Activity activity = instance.ready.poll();
      if (activity == null) {
        return false;
      }
      instance.advances++;
      expressionEvaluator.charge(STEPS_PER_ADVANCE);
      if (!activity.cancelled) {
        advanceProfiled(activity);
      }
    }
    return !instance.ready.isEmpty();
  }

  /**
   * Advances an activity, which may move on to its next task: the profiler gets the task that was
   * advanced.
   */
  private void advanceProfiled(Activity activity) {
    int look = ProfilingHook.samples();
    Node node = activity.node;
    advance(activity);
    if (look != ProfilingHook.samples()) {
      Instance instance = activity.instance;
      ProfilingHook.record(
          look,
          Component.KERNEL,
          instance.graph.key(),
          node.attributes().pointer(),
          instance.tags.serviceClass());
    }
  }

  private void advance(Activity activity) {
    try {
      boolean more = true;
      while (more) {
        more = runPhase(activity);
      }
    } catch (EvaluationPendingException e) {
      // the result of the evaluation makes the activity ready again
    } catch (ExpressionException e) {
      errors.fault(activity, e.error());
    } catch (RuntimeException e) {
      errors.onEngineDefect(activity, e);
    }
  }

  /**
   * Runs the phase of an activity up to the last question asked before its state was serialized. Up
   * to there a phase is pure.
   *
   * @throws IllegalArgumentException when the phase asks other questions than it did
   */
  void replayPhase(Activity activity, PhaseReplay phaseReplay) {
    expressionEvaluator.replay(phaseReplay);
    try {
      runPhase(activity);
    } catch (EvaluationPendingException e) {
      return;
    } catch (ExpressionException e) {
      throw new IllegalArgumentException(
          "expected no error in " + activity.node.attributes().pointer() + ", found " + e.error(),
          e);
    } finally {
      expressionEvaluator.replay(null);
    }
    throw new IllegalArgumentException(
        "expected more to evaluate in " + activity.node.attributes().pointer() + ", found none");
  }

  /** Runs the phase of an activity; returns whether it can continue at once. */
  private boolean runPhase(Activity activity) {
    activity.beginPhase();
    return switch (activity.activityPhase) {
      case ENTRY -> {
        boolean runs = dataFlow.in(activity);
        if (!runs) {
          end(activity);
        }
        yield runs;
      }
      case BODY -> taskBehaviours.run(activity);
      case CATCH -> taskBehaviours.handleError(activity);
      case COMPENSATE -> compensator.run(activity);
      case EXIT -> {
        dataFlow.out(activity);
        end(activity);
        yield false;
      }
    };
  }

  /** Ends an activity that has its output and continues where its task points. */
  private void end(Activity activity) {
    Instance instance = activity.instance;
    Activity parent = activity.parent;
    activityTree.releaseResources(activity);
    if (parent == null) {
      activityTree.remove(activity);
      activityTree.finish(instance, InstanceState.COMPLETED, activity.output, null);
      return;
    }
    boolean ran = activity.activityPhase == ActivityPhase.EXIT;
    effects.left(activity, ran ? EventKind.TASK_COMPLETED : EventKind.TASK_SKIPPED, null);
    if (activity.isCompensation()) {
      activityTree.remove(activity);
      compensator.completed(activity);
    } else if ((!ran || compensator.register(activity))
        && memoryAccount.chargeBranch(activity.branch, instance, activity.output)) {
      follow(parent, activity);
    } else {
      activityTree.remove(activity);
      String pointer = activity.node.attributes().pointer();
      errors.failWhole(instance, parent, memoryAccount.exceededError().at(pointer));
    }
  }

  private void follow(Activity parent, Activity ended) {
    Block block = ended.block;
    if (FlowDirective.isOuter(ended.next)) { // where the flow goes when the task around has ended
      parent.next = FlowDirective.inOuter(ended.next);
      ended.next = FlowDirective.CONTINUE;
    }
    int to = ended.next == FlowDirective.CONTINUE ? ended.index + 1 : ended.next;
    if (block != null && to != FlowDirective.END && to >= 0 && to < block.tasks().size()) {
      activityTree.move(ended, block, to, ended.output);
      return;
    }
    activityTree.remove(ended);
    if (to == FlowDirective.END) {
      endAll(parent, ended.output);
    } else if (block == null) {
      taskBehaviours.onBranchCompleted(parent, ended.branch, ended.output);
    } else {
      taskBehaviours.onBlockCompleted(parent, ended.branch, ended.output);
    }
  }

  /** Ends the whole workflow, or the whole compensation, that a task is part of. */
  private void endAll(Activity task, Payload output) {
    Activity compensation = Compensator.around(task);
    Activity all = compensation == null ? task.instance.root : compensation;
    if (all != null) {
      activityTree.cancelChildren(all);
      all.rawOutput = output;
      activityTree.makeReady(all, ActivityPhase.EXIT);
    }
  }

  private boolean onCallCompleted(Instance instance, Event.CallCompleted done) {
    Activity activity = awaited(instance, done.activity(), done.attempt());
    if (activity == null) {
      return false;
    }
    CallIdempotencyKeys.ended(activity);
    if (activity.node instanceof Node.Schedule task) {
      taskBehaviours.runReported(activity, task, done.outcome());
      return true;
    }
    switch (done.outcome()) {
      case CallOutcome.Succeeded succeeded -> taskBehaviours.answered(activity, succeeded.output());
      case CallOutcome.Failed _ when taskBehaviours.ignoresFailure(activity) ->
          taskBehaviours.answered(activity, Payload.NULL);
      case CallOutcome.Failed failed -> errors.fault(activity, failed.error());
      case CallOutcome.Aborted _ ->
          throw new IllegalStateException(
              "expected an outcome that " + instance.id + " waits for, found an aborted call");
    }
    return true;
  }

  private boolean onEventReceived(Instance instance, Event.EventReceived received) {
    Activity activity = instance.activity(received.activity());
    return activity != null && taskBehaviours.receive(activity, received);
  }

  private boolean onExpressionEvaluated(
      Instance instance, Event.ExpressionEvaluated expressionEvaluated) {
    Activity activity =
        awaited(instance, expressionEvaluated.activity(), expressionEvaluated.attempt());
    if (activity == null) {
      return false;
    }
    activity.memoize(expressionEvaluated.result(), expressionEvaluated.error());
    instance.ready.add(activity);
    return true;
  }

  /** Ends the wait of the activity for an attempt and returns it; null when none waits. */
  private @Nullable Activity awaited(Instance instance, int slot, int attempt) {
    Activity activity = instance.activity(slot);
    if (activity == null || activity.awaiting != attempt) {
      return null;
    }
    if (activity.sent && activity.evaluating != 0) {
      instance.evaluations--;
    }
    boolean busy = !activity.awaitsAtLeisure();
    activity.awaitNothing();
    memoryAccount.releaseCall(activity);
    instance.pending(busy ? -1 : 0);
    return activity;
  }

  private boolean onTimerFired(Instance instance, Event.TimerFired fired) {
    Activity activity = instance.activity(fired.activity());
    if (activity == null || activity.armed(fired.timer()) != fired.attempt()) {
      return false;
    }
    activity.arm(fired.timer(), 0);
    switch (fired.timer()) {
      case Activity.TASK_TIMEOUT ->
          errors.fault(
              activity, ErrorPropagation.timeout(activity.parent == null ? "workflow" : "task"));
      case Activity.ATTEMPT_TIMEOUT ->
          taskBehaviours.failAttempt(
              activity,
              ErrorPropagation.timeout("attempt").at(activity.node.attributes().pointer()));
      default -> {
        if (activity.parent == null && !instance.suspended) {
          effects.changed(instance, EventKind.INSTANCE_BEGUN);
        }
        taskBehaviours.onDelayElapsed(activity);
      }
    }
    return true;
  }

  private boolean suspend(Instance instance, boolean suspended) {
    boolean changes = instance.suspended != suspended;
    instance.suspended = suspended;
    taskBehaviours.suspended(instance);
    if (changes) { // else clocks were set, and a schedule looks at them again
      effects.changed(
          instance, suspended ? EventKind.INSTANCE_SUSPENDED : EventKind.INSTANCE_RESUMED);
    }
    if (changes && !suspended && instance.isOverdue()) {
      effects.changed(instance, EventKind.INSTANCE_BEGUN);
    }
    return true;
  }
}

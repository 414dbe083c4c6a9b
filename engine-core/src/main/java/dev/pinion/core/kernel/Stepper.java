package dev.pinion.core.kernel;

import dev.pinion.core.ir.Block;
import dev.pinion.core.ir.Flow;
import dev.pinion.core.ir.Node;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.ir.TaskCommon;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.BindingSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transition logic: an instance and an event in, a changed instance and effects out.
 * Synchronous, deterministic, without I/O, clock or lock; the same events in the same order give
 * the same state and the same effects.
 *
 * <p>An event changes one activity and makes some ready; a turn then runs ready activities, each as
 * far as it goes. An instance works an event off completely before it takes the next one, in as
 * many turns as it needs.
 */
final class Stepper {
  private static final Logger LOG = LoggerFactory.getLogger(Stepper.class);

  private final EngineLimits limits;
  private final EffectSink effects;
  private final Evaluation evaluation;
  private final Bodies bodies;
  private final Holdings holdings;
  private int turnTasksLeft;

  Stepper(EngineLimits limits, BindingSource bindings, EffectSink effects) {
    this.limits = limits;
    this.effects = effects;
    this.evaluation = new Evaluation(effects, limits.expression().loopSteps());
    this.holdings = new Holdings(2L * limits.kernel().maxHeldBytes());
    this.bodies = new Bodies(this, limits, bindings, effects, evaluation, holdings);
  }

  /** Bytes of payloads that all instances together are charged for. */
  long heldBytes() {
    return holdings.total();
  }

  /** Begins an instance; turns do the rest. */
  void start(Instance instance) {
    holdings.hold(instance, instance.rawInput.weight());
    Branch main = new Branch(null, 0, Payload.NULL, Payload.NULL);
    Activity root =
        new Activity(
            instance,
            rootNode(instance.graph),
            null,
            main,
            null,
            0,
            instance.rawInput,
            instance.startedAtEpochMillis);
    instance.add(root);
    instance.root = root;
    instance.ready.add(root);
  }

  /**
   * The workflow as a task: its input, output and timeout are those of a {@code do} around the main
   * block.
   */
  private static Node.Do rootNode(ProcessGraph graph) {
    TaskCommon common =
        new TaskCommon(
            -1,
            graph.key().name(),
            "/",
            graph.definition(),
            null,
            graph.inputSchema(),
            graph.inputFrom(),
            graph.outputAs(),
            graph.outputSchema(),
            null,
            null,
            graph.timeoutNanos(),
            Flow.EXIT);
    return new Node.Do(common, graph.body());
  }

  /**
   * Applies an event to an instance that has worked off the earlier ones.
   *
   * @param epochMillis wall-clock time of the event
   * @return whether the event meant anything to the instance; false for one that came too late
   */
  boolean apply(Instance instance, KernelEvent event, long epochMillis) {
    if (instance.hasEnded()) {
      return false;
    }
    instance.nowEpochMillis = epochMillis;
    if (++instance.events > limits.instance().maxEvents()) {
      fail(instance, limitError("instance.maxEvents", limits.instance().maxEvents()));
      return true;
    }
    return switch (event) {
      case KernelEvent.InvocationDone done -> onInvocationDone(instance, done);
      case KernelEvent.Evaluated evaluated -> onEvaluated(instance, evaluated);
      case KernelEvent.TimerFired fired -> onTimerFired(instance, fired);
      case KernelEvent.Cancel cancel -> onCancel(instance, cancel.replyTo());
      case KernelEvent.Start start ->
          throw new IllegalStateException(
              "expected an event of a running instance, but " + instance.id + " was started again");
    };
  }

  /**
   * Runs what is ready, within the bounds of one turn.
   *
   * @return whether more is ready
   */
  boolean turn(Instance instance) {
    turnTasksLeft = limits.kernel().stepsPerTurn();
    evaluation.beginTurn();
    while (!instance.ready.isEmpty()) {
      if (turnTasksLeft-- <= 0 || evaluation.turnIsSpent()) {
        return true;
      }
      Activity activity = instance.ready.remove();
      if (!activity.cancelled) {
        advance(activity);
      }
    }
    return false;
  }

  private void advance(Activity activity) {
    try {
      boolean more = true;
      while (more) {
        more = runPhase(activity);
      }
    } catch (Suspended e) {
      // the result of the evaluation makes the activity ready again
    } catch (ExpressionException e) {
      fault(activity, e.error());
    } catch (RuntimeException e) {
      LOG.error(
          "task {} of {} failed inside the engine",
          activity.node.common().pointer(),
          activity.instance.id,
          e);
      fault(
          activity,
          WorkflowError.of(ErrorType.RUNTIME, "the engine failed to run this task: " + e));
    }
  }

  /** Runs the phase an activity is in; returns whether it can go on at once. */
  private boolean runPhase(Activity activity) {
    return switch (activity.phase) {
      case ENTRY -> enterBody(activity);
      case BODY -> bodies.run(activity);
      case CATCH -> bodies.handleError(activity);
      case EXIT -> exit(activity);
    };
  }

  private boolean enterBody(Activity activity) {
    TaskCommon common = activity.node.common();
    Payload raw = activity.rawInput;
    if (!evaluation.holds(activity, common.condition(), raw)) {
      activity.output = raw;
      end(activity);
      return false;
    }
    evaluation.transform(activity, common.inputSchema(), raw);
    activity.input = evaluation.transform(activity, common.inputFrom(), raw);
    if (activity.parent == null) {
      activity.branch.context = activity.input;
    }
    if (common.timeoutNanos() != null) {
      long timeoutNanos = evaluation.of(activity, common.timeoutNanos(), activity.input);
      startTimer(activity, Activity.TASK_TIMEOUT, bodies.checkedDelay(timeoutNanos));
    }
    activity.next = common.next();
    activity.enter(Phase.BODY);
    return true;
  }

  private boolean exit(Activity activity) {
    TaskCommon common = activity.node.common();
    Payload raw = activity.rawOutput == null ? Payload.NULL : activity.rawOutput;
    activity.output = evaluation.transform(activity, common.outputAs(), raw);
    evaluation.transform(activity, common.outputSchema(), activity.output);
    if (common.exportAs() != null) {
      Payload context = evaluation.of(activity, common.exportAs(), activity.output);
      evaluation.transform(activity, common.exportSchema(), context);
      activity.branch.context = context;
    }
    end(activity);
    return false;
  }

  /** Makes an activity for a task of a block and lets it run. */
  void enter(Activity parent, Branch branch, Block block, int index, Payload rawInput) {
    enter(parent, branch, block, index, block.tasks().get(index), rawInput);
  }

  /** Makes the activity of a fork's branch and lets it run. */
  void enterBranch(Activity parent, Branch branch, Node task, Payload rawInput) {
    enter(parent, branch, null, 0, task, rawInput);
  }

  private void enter(
      Activity parent,
      Branch branch,
      @Nullable Block block,
      int index,
      Node task,
      Payload rawInput) {
    Instance instance = parent.instance;
    if (instance.hasEnded()) {
      return;
    }
    Activity activity =
        new Activity(
            instance, task, parent, branch, block, index, rawInput, instance.nowEpochMillis);
    if (++instance.steps > limits.instance().maxSteps()) {
      fail(
          instance,
          limitError("instance.maxSteps", limits.instance().maxSteps())
              .at(task.common().pointer()));
    } else if (instance.activities() >= limits.instance().maxActivities()) {
      int bound = limits.instance().maxActivities();
      fail(instance, limitError("instance.maxActivities", bound).at(task.common().pointer()));
    } else {
      instance.add(activity);
      parent.addChild(activity);
      effects.entered(activity);
      instance.ready.add(activity);
    }
  }

  /** An activity has its output: takes it out and goes where its task points. */
  private void end(Activity activity) {
    Instance instance = activity.instance;
    Activity parent = activity.parent;
    release(activity);
    if (parent == null) {
      finish(instance, InstanceState.COMPLETED, activity.output, null);
      return;
    }
    if (!holdings.settle(activity.branch, instance, activity.output)) {
      fail(
          instance,
          limitError("kernel.maxHeldBytes", limits.kernel().maxHeldBytes())
              .at(activity.node.common().pointer()));
      return;
    }
    follow(parent, activity);
  }

  private void follow(Activity parent, Activity ended) {
    Block block = ended.block;
    int to = ended.next == Flow.CONTINUE ? ended.index + 1 : ended.next;
    if (to == Flow.END) {
      endWorkflow(ended.instance, ended.output);
    } else if (block == null) {
      bodies.branchEnded(parent, ended.branch, ended.output);
    } else if (to >= 0 && to < block.tasks().size()) {
      enter(parent, ended.branch, block, to, ended.output);
    } else {
      bodies.blockEnded(parent, ended.branch, ended.output);
    }
  }

  private void endWorkflow(Instance instance, Payload output) {
    Activity root = instance.root;
    if (root != null) {
      cancelChildren(root);
      root.rawOutput = output;
      makeReady(root, Phase.EXIT);
    }
  }

  /** Lets an activity go on in a phase. */
  void makeReady(Activity activity, Phase phase) {
    activity.enter(phase);
    activity.instance.ready.add(activity);
  }

  /**
   * An activity has failed: takes it out with everything inside it and looks for who handles the
   * error (a {@code try} that runs its body, or a competing fork with branches left), else faults
   * the instance.
   */
  void fault(Activity failed, WorkflowError failure) {
    Instance instance = failed.instance;
    WorkflowError error = failure.at(failed.node.common().pointer());
    Activity activity = failed;
    while (true) {
      Activity parent = activity.parent;
      cancel(activity);
      if (parent == null) {
        finish(instance, InstanceState.FAULTED, null, error);
        return;
      }
      if (bodies.absorbs(parent, error)) {
        return;
      }
      activity = parent;
    }
  }

  /** Faults the whole instance; no {@code try} can handle it. */
  void fail(Instance instance, WorkflowError error) {
    finish(instance, InstanceState.FAULTED, null, error.at("/"));
  }

  static WorkflowError limitError(String limit, long bound) {
    return WorkflowError.of(
        ErrorType.RUNTIME,
        "expected at most " + bound + " (" + limit + "), but the instance needs more");
  }

  private void finish(
      Instance instance,
      InstanceState state,
      @Nullable Payload output,
      @Nullable WorkflowError error) {
    if (instance.hasEnded()) {
      return;
    }
    Activity root = instance.root;
    if (root != null && instance.activity(root.slot) == root) {
      cancel(root);
    }
    instance.root = null;
    instance.ready.clear();
    holdings.hold(instance, -instance.heldBytes());
    instance.end(state, instance.nowEpochMillis, output, error);
    KernelReply reply = new KernelReply.Ended(instance.view());
    for (ReplyAddress waiter : instance.waiters()) {
      effects.reply(waiter, reply);
    }
    instance.waiters().clear();
    effects.ended(instance);
  }

  /** Sets one of an activity's timers, instead of an earlier one of the same kind. */
  void startTimer(Activity activity, int kind, long delayNanos) {
    cancelTimer(activity, kind);
    int attempt = activity.instance.nextAttempt();
    activity.arm(kind, attempt);
    effects.startTimer(activity, kind, attempt, delayNanos);
  }

  /** Takes back one of an activity's timers, if it is set. */
  void cancelTimer(Activity activity, int kind) {
    if (activity.armed(kind) != 0) {
      activity.arm(kind, 0);
      effects.cancelTimer(activity, kind);
    }
  }

  /** Ends everything inside an activity. */
  void cancelChildren(Activity activity) {
    for (Activity child = activity.firstChild; child != null; child = activity.firstChild) {
      cancel(child);
    }
  }

  /** Ends an activity and everything inside it. */
  private void cancel(Activity activity) {
    cancelChildren(activity);
    activity.cancelled = true;
    release(activity);
  }

  private void release(Activity activity) {
    Instance instance = activity.instance;
    if (activity.awaiting != 0) {
      if (activity.calling) {
        effects.abort(activity, activity.awaiting);
      }
      activity.awaiting = 0;
      instance.busy(-1);
    }
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      cancelTimer(activity, kind);
    }
    holdings.release(activity);
    if (activity.parent != null) {
      activity.parent.removeChild(activity);
    }
    instance.remove(activity);
  }

  private boolean onInvocationDone(Instance instance, KernelEvent.InvocationDone done) {
    Activity activity = awaited(instance, done.activity(), done.attempt());
    if (activity == null) {
      return false;
    }
    activity.calling = false;
    switch (done.outcome()) {
      case CallOutcome.Answered answered -> {
        activity.rawOutput = answered.output();
        makeReady(activity, Phase.EXIT);
      }
      case CallOutcome.Failed failed -> fault(activity, failed.error());
    }
    return true;
  }

  private boolean onEvaluated(Instance instance, KernelEvent.Evaluated evaluated) {
    Activity activity = awaited(instance, evaluated.activity(), evaluated.attempt());
    if (activity == null) {
      return false;
    }
    activity.remember(evaluated.result(), evaluated.error());
    instance.ready.add(activity);
    return true;
  }

  /** The activity that waits for an attempt and now does so no longer; null when none does. */
  private static @Nullable Activity awaited(Instance instance, int slot, int attempt) {
    Activity activity = instance.activity(slot);
    if (activity == null || activity.awaiting != attempt) {
      return null;
    }
    activity.awaiting = 0;
    instance.busy(-1);
    return activity;
  }

  private boolean onTimerFired(Instance instance, KernelEvent.TimerFired fired) {
    Activity activity = instance.activity(fired.activity());
    if (activity == null || activity.armed(fired.timer()) != fired.attempt()) {
      return false;
    }
    activity.arm(fired.timer(), 0);
    switch (fired.timer()) {
      case Activity.TASK_TIMEOUT -> fault(activity, timeout("task"));
      case Activity.ATTEMPT_TIMEOUT ->
          bodies.failAttempt(activity, timeout("attempt").at(activity.node.common().pointer()));
      default -> bodies.delayEnded(activity);
    }
    return true;
  }

  private static WorkflowError timeout(String what) {
    return WorkflowError.of(ErrorType.TIMEOUT, "the " + what + " took longer than its timeout");
  }

  private boolean onCancel(Instance instance, ReplyAddress replyTo) {
    finish(instance, InstanceState.CANCELLED, null, null);
    effects.reply(replyTo, new KernelReply.Cancelled(instance.view()));
    return true;
  }
}

package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.ChildQueue.ChildControl;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import org.jspecify.annotations.Nullable;

/**
 * Starts the children of instances, reports their ends, and passes cancellation, suspension and
 * resumption on to them: the work of the {@link ChildQueue}, outside of any turn. Kernel thread
 * only.
 *
 * <pre>
 *   start ─▶ definition known? ─▶ admitted? ─▶ recorded ─▶ first turn of the child
 *              └─▶ error of the task └─▶ error of the task
 * </pre>
 */
final class Children {
  private final GraphSource graphs;
  private final EngineLimits limits;
  private final ChildAdmission admission;
  private final Instances instances;
  private final MemoryAccount memoryAccount;
  private final Turns turns;
  private final EffectRouter router;
  private final ChildQueue queue;
  private final @Nullable HistoryEventProducer observed;

  /** Start whose definition is being compiled, without its input; null for none. */
  private @Nullable ChildStart unprepared;

  /** Steps of expressions that were evaluated again. */
  private long spent;

  /**
   * Children of the instances of a kernel.
   *
   * @param graphs compiled definitions
   * @param admission decides whether a child may begin
   * @param observed told of everything that instances do; null for none
   */
  Children(
      GraphSource graphs,
      EngineLimits limits,
      ChildAdmission admission,
      Instances instances,
      Turns turns,
      EffectRouter router,
      @Nullable HistoryEventProducer observed) {
    this.graphs = graphs;
    this.limits = limits;
    this.admission = admission;
    this.instances = instances;
    this.memoryAccount = instances.memoryAccount();
    this.turns = turns;
    this.router = router;
    this.queue = router.children();
    this.observed = observed;
  }

  /** Work done so far beside that of turns, in steps of expressions. */
  long spent() {
    return spent;
  }

  /** Whether {@link #workOnce} has something to do. */
  boolean hasWork() {
    return !queue.hasOnlyStarts() || canStart();
  }

  /**
   * Whether children wait for what wakes no kernel: for the definitions, for the compiler, or for
   * the writer of the journal, which is behind with records of other kernels.
   */
  boolean isHeldUp() {
    return queue.nextStart() != null && !canStart();
  }

  private boolean canStart() {
    return queue.nextStart() != null
        && graphs.knowsAll()
        && !admission.waitsForJournal()
        && isPrepared();
  }

  /** Whether the definition of the next child is compiled, as far as it is known already. */
  private boolean isPrepared() {
    ChildStart next = unprepared;
    if (next != null && isPrepared(next)) {
      unprepared = null;
    }
    return unprepared == null;
  }

  private boolean isPrepared(ChildStart start) {
    return graphs.isPrepared(start.namespace(), start.name(), start.version());
  }

  /** Compares parents with children after a replay; returns how much work that was. */
  int compare() {
    if (!queue.isUnsettled()) {
      return 0;
    }
    queue.compare();
    return 1;
  }

  /** Reports an end, controls a child and starts one; returns how many of these there were. */
  int workOnce() {
    return (report() ? 1 : 0) + (control() ? 1 : 0) + (canStart() && start() ? 1 : 0);
  }

  private boolean report() {
    ChildOutcomes.Report next = queue.outcomes().poll();
    if (next == null) {
      return false;
    }
    if (queue.isAwaited(next.waiting())) {
      report(next.waiting(), ChildOutcomes.recordable(next.outcome(), limits.maxRecordedBytes()));
    }
    return true;
  }

  private void report(ChildWait wait, CallOutcome outcome) {
    turns.submit(
        wait.parent(),
        new Event.CallCompleted(wait.parent(), wait.activity(), wait.attempt(), outcome));
    Instance parent = instances.running(wait.parent());
    if (parent != null) {
      instances.schedules().recheck(parent);
    }
  }

  private boolean control() {
    ChildQueue.PendingControl next = queue.pollControl();
    if (next == null) {
      return false;
    }
    Instance child = instances.running(next.child());
    if (child != null && !isNoOp(child, next.control())) {
      turns.submit(child, event(next.child(), next.control()));
    }
    return true;
  }

  /** Whether a control changes nothing. A cancellation ends a suspension. */
  private static boolean isNoOp(Instance child, ChildControl control) {
    return switch (control) {
      case CANCEL -> child.isCompensating() && !child.suspended();
      case SUSPEND -> child.suspended();
      case RESUME -> !child.suspended();
    };
  }

  private static Event.Trigger event(InstanceId child, ChildControl control) {
    return switch (control) {
      case CANCEL -> new Event.Cancelled(child);
      case SUSPEND -> new Event.Suspended(child);
      case RESUME -> new Event.Resumed(child);
    };
  }

  private boolean start() {
    ChildQueue.PendingStart next = queue.pollStart();
    if (next == null) {
      return false;
    }
    Instance parent = next.activity().instance();
    // a partition that leaves takes the wait with it, and its next owner starts the child;
    // an instance that another one has replaced has handed over what it wants
    if (!instances.isReleased(parent.id().partition())
        && !instances.schedules().isSuperseded(parent)
        && queue.isAwaited(next.waiting())) {
      if (parent.suspended() && !next.activity().keepsSchedule()) { // a run was due before
        queue.hold(next);
      } else {
        start(next);
      }
    }
    return true;
  }

  private void start(ChildQueue.PendingStart next) {
    Activity activity = next.activity();
    memoryAccount.wake(activity.instance());
    WorkflowError error;
    try {
      ChildStart start = childStart(activity);
      if (!isPrepared(start)) {
        unprepared = start.withBody(Payload.NULL);
        queue.putBack(next);
        memoryAccount.rest(activity.instance());
        return;
      }
      ProcessGraph graph = graph(start);
      error = admission.refusal(activity.instance(), start, graph);
      if (error == null) {
        begin(record(next, start, graph), activity);
        return;
      }
    } catch (ExpressionException e) {
      error = e.error();
    }
    report(next.waiting(), new CallOutcome.Failed(error));
  }

  /** The start that an activity wants, made again from its task when that is not known any more. */
  private ChildStart childStart(Activity activity) {
    CallRequest wanted = activity.call();
    if (wanted instanceof ChildStart start) {
      return start;
    }
    if (activity.node() instanceof Node.Schedule schedule) {
      return ScheduleTask.startOf(activity, schedule);
    }
    Node.RunWorkflow task = (Node.RunWorkflow) activity.node();
    Budget budget = new Budget(limits.expression().maxSteps());
    try {
      return task.start().evaluate(activity.input(), activity, budget);
    } catch (BudgetExceededException e) {
      throw new ExpressionException(
          "expected to make the start again within expression.maxSteps, found that it needs more");
    } finally {
      spent += limits.expression().maxSteps() - Math.max(0, budget.stepsLeft());
    }
  }

  private ProcessGraph graph(ChildStart start) {
    String version = start.version();
    ProcessGraph graph =
        version == null
            ? graphs.latestGraph(start.namespace(), start.name())
            : graphs.graph(new DefinitionKey(start.namespace(), start.name(), version));
    if (graph == null) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.CONFIGURATION,
              "expected the workflow " + start.description() + " to be deployed, found none"));
    }
    if (!graphs.isEnabled(graph.key())) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.CONFIGURATION,
              "expected an enabled workflow, found that " + graph.key() + " is disabled"));
    }
    return graph;
  }

  private Instance record(ChildQueue.PendingStart next, ChildStart start, ProcessGraph graph) {
    Activity activity = next.activity();
    Event.Started started = ChildAdmission.started(activity, next.waiting(), start, graph);
    CycleTime time = turns.recorder().time();
    InstanceId id = instances.nextId(time.epochMillis(), started.partition());
    Instance child = instances.open(id, graph, started, time.epochMillis());
    child.eventAt(time.nowNanos());
    turns.recorder().record(child, started);
    queue.started(child);
    if (activity.keepsSchedule()) {
      instances.counters().schedules().onRun(lateness(activity, time.epochMillis()));
    }
    if (observed != null) {
      observed.childStarted(activity.instance(), child);
    }
    return child;
  }

  private static long lateness(Activity activity, long epochMillis) {
    return Math.max(0, epochMillis - ScheduleTask.dueOf(activity));
  }

  private void begin(Instance child, Activity activity) {
    memoryAccount.releaseCall(activity);
    activity.send();
    memoryAccount.rest(activity.instance());
    instances.schedules().recheck(activity.instance());
    router.started(child);
    turns.begin(child);
  }
}

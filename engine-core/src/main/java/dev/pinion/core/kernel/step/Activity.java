package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.FlowDirective;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.Unwinding;
import dev.pinion.core.kernel.step.event.EventMatches;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.kernel.step.phase.EvaluationMemo;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.TaskReference;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One running task: a node of the tree that is an instance's state. Also the scope of the task's
 * expressions. When the task has ended, its activity moves on to the next task of the same block,
 * as a token does, so that a long sequence or an endless loop allocates next to nothing.
 *
 * <p>Only the kernel that owns the instance writes it. While an evaluation is handed to another
 * thread, nothing that the evaluation can see through the scope changes: its branch stands still.
 */
public final class Activity extends ActivityWait implements Scope {
  /** Timer of the task's timeout. */
  static final int TASK_TIMEOUT = 0;

  /** Timer of a {@code wait} or of the delay before a retry. */
  public static final int DELAY = 1;

  /** Timer of one attempt of a {@code try}. */
  static final int ATTEMPT_TIMEOUT = 2;

  /** Weight of items that are not added up. */
  static final long UNKNOWN_WEIGHT = -1;

  private static final int TIMERS = 3;

  // shared, because most activities have none of these
  private static final Payload[] NO_RESULTS = {};
  private static final Branch[] NO_BRANCHES = {};
  private static final int[] NOT_ARMED = {};
  private static final TimerWheel.@Nullable Timer[] NO_TIMERS = {};
  private static final int[] RUN_ONCE = {};

  final Instance instance;
  final @Nullable Activity parent;
  final Branch branch;

  /** Block that contains the task; null for the root and for a branch of a fork. */
  final @Nullable Block block;

  /** The task. */
  Node node;

  /** Position of the task in the block. */
  int index;

  Payload rawInput;
  long startedAtEpochMillis;

  int slot;
  ActivityPhase activityPhase = ActivityPhase.ENTRY;
  boolean cancelled;

  Payload input;
  Payload output = Payload.NULL;
  @Nullable Payload rawOutput;
  int next = FlowDirective.CONTINUE;

  /** Attempts of calls in earlier, failed runs of the task that a client retried. */
  int earlierAttempts;

  /** Number of runs of each task of the block; empty when none can be begun twice. */
  final int[] runs;

  /** Progress through items or branches. */
  int cursor;

  int open;
  List<Payload> items = List.of();

  /** Weight of the outputs of a subscription; follows from them. */
  long itemsWeight = UNKNOWN_WEIGHT;

  Payload[] results = NO_RESULTS;
  Branch[] branches = NO_BRANCHES;

  /** Bytes charged for retained values. */
  long heldBytes;

  /** Bytes of the heap charged for retained values. */
  long heldHeapBytes;

  /** Bytes of the heap charged for the values of {@link #call}. */
  long callHeap;

  /** Bytes of the heap charged for the error in {@link #tryState}. */
  long errorHeap;

  /** Attempts of a {@code try}; null for other tasks. */
  @Nullable TryState tryState;

  /** Generation of what the task does: that of what was undone is not used again. */
  int generation;

  /** Whether something inside was compensated, perhaps in part, in the present generation. */
  boolean undone;

  /** Compensation of the scope that the task is, while that is under way; null otherwise. */
  @Nullable Unwinding unwinding;

  /** The completed task that this one compensates; null for other tasks. */
  @Nullable CompletedTask compensated;

  /** Whether a place is reserved for the compensation of the task when it has completed. */
  boolean reserves;

  /** What a task listens to and has received; null when it does not listen. */
  @Nullable ListenState listening;

  /** Events of a schedule that wait for others or for their run; null for other tasks. */
  @Nullable EventMatches matches;

  /** Wall-clock time at which the present phase began: the present time for its expressions. */
  private long nowEpochMillis;

  @Nullable Activity firstChild;
  @Nullable Activity previousSibling;
  @Nullable Activity nextSibling;

  private int[] armed = NOT_ARMED;
  private TimerWheel.@Nullable Timer[] timers = NO_TIMERS;
  private int evaluations;

  /** Results of the phase's evaluations that were made elsewhere, newest first, or null. */
  private @Nullable EvaluationMemo memos;

  Activity(
      Instance instance,
      Node node,
      @Nullable Activity parent,
      Branch branch,
      @Nullable Block block,
      int index,
      Payload rawInput) {
    this.instance = instance;
    this.node = node;
    this.parent = parent;
    this.branch = branch;
    this.block = block;
    this.index = index;
    this.rawInput = rawInput;
    this.input = rawInput;
    this.startedAtEpochMillis = instance.nowEpochMillis;
    this.nowEpochMillis = instance.nowEpochMillis;
    this.runs = block != null && block.repeats() ? new int[block.tasks().size()] : RUN_ONCE;
  }

  /** Name of the task outside of the kernel. */
  public TaskReference name() {
    return new TaskReference(instance.graph.key(), node.attributes().pointer());
  }

  /**
   * Moves to another task of the same block. Everything that the last task waited for, held and set
   * timers for must have been released.
   */
  void moveTo(Node task, int position, Payload raw) {
    node = task;
    index = position;
    rawInput = raw;
    input = raw;
    output = Payload.NULL;
    rawOutput = null;
    next = FlowDirective.CONTINUE;
    startedAtEpochMillis = instance.nowEpochMillis;
    cursor = 0;
    open = 0;
    items = List.of();
    itemsWeight = UNKNOWN_WEIGHT;
    results = NO_RESULTS;
    branches = NO_BRANCHES;
    tryState = null;
    generation = 0;
    undone = false;
    earlierAttempts = 0;
    evaluating = NOTHING;
    enter(ActivityPhase.ENTRY);
  }

  /**
   * Begins the same run of the task once more.
   *
   * @param before attempts that calls of this run may have made
   */
  void restart(int before) {
    int lastGeneration = generation;
    boolean wasUndone = undone;
    moveTo(node, index, rawInput);
    generation = lastGeneration;
    undone = wasUndone;
    earlierAttempts = before;
    renew();
  }

  /** Begins another generation if effects of this one were undone: calls get new names. */
  void renew() {
    if (undone) {
      undone = false;
      generation = instance.openCompensations().rounds();
    }
  }

  /** Whether this is the compensation of a task that had completed. */
  public boolean isCompensation() {
    return compensated != null;
  }

  /** Waits under another number for what it waited for before its instance was retried. */
  public void awaitAnew() {
    awaiting = instance.nextAttempt();
  }

  /** Whether it waits for a child: for its end, or only for its start. */
  public boolean awaitsChild() {
    return awaiting != NOTHING && evaluating == NOTHING && startsChildren();
  }

  /** Whether its task starts other instances. */
  public boolean startsChildren() {
    return node instanceof Node.RunWorkflow || node instanceof Node.Schedule;
  }

  /** Whether its task keeps a schedule, whose runs live on without it. */
  public boolean keepsSchedule() {
    return node instanceof Node.Schedule;
  }

  /** Whether it waits for what may take any time: a child, or a message. */
  public boolean awaitsAtLeisure() {
    return awaitsChild()
        || (awaiting != NOTHING && evaluating == NOTHING && node instanceof Node.Subscribe);
  }

  /** Enters another phase and clears the results of the last one. */
  void enter(ActivityPhase to) {
    activityPhase = to;
    evaluations = 0;
    memos = null;
    nowEpochMillis = instance.nowEpochMillis;
  }

  /** Restarts the phase from its beginning: its evaluations are numbered again from 1. */
  void beginPhase() {
    evaluations = 0;
  }

  /**
   * The number of the next evaluation of the phase, from 1. A phase that is run again asks the same
   * questions in the same order, though not always about the same objects.
   */
  int nextEvaluation() {
    return ++evaluations;
  }

  /** Stores the result of an evaluation that was made elsewhere. */
  void memoize(@Nullable Object value, @Nullable WorkflowError error) {
    if (evaluating == NOTHING) {
      throw new IllegalStateException("expected an evaluation in progress, but there is none");
    }
    memos = new EvaluationMemo(evaluating, value, error, memos);
    evaluating = NOTHING;
  }

  /** Whether the result of a question is stored. */
  boolean isMemoized(int question) {
    return memos != null && memos.find(question) != null;
  }

  /**
   * The stored result of a question.
   *
   * @throws ExpressionException when the evaluation failed
   */
  @Nullable Object memoized(int question) {
    EvaluationMemo memo = memos == null ? null : memos.find(question);
    return memo == null ? null : memo.result();
  }

  /** Stored results, newest first, or null. */
  @Nullable EvaluationMemo memos() {
    return memos;
  }

  /** Replaces the stored values, newest first. */
  void replaceMemos(UnaryOperator<@Nullable Object> each) {
    memos = memos == null ? null : memos.replaced(each);
  }

  /** Stores a result that was known before the state was serialized. */
  void restoreMemo(int question, @Nullable Object value, @Nullable WorkflowError error) {
    memos = new EvaluationMemo(question, value, error, memos);
  }

  /** Wall-clock time at which the present phase began. */
  long phaseEpochMillis() {
    return nowEpochMillis;
  }

  /** Sets when the task began, as in the serialized state. */
  void startedAt(long epochMillis) {
    startedAtEpochMillis = epochMillis;
  }

  /** Enters a phase that began at a given time, as in the serialized state. */
  void resume(ActivityPhase at, long epochMillis) {
    activityPhase = at;
    nowEpochMillis = epochMillis;
  }

  public TimerWheel.@Nullable Timer timer(int kind) {
    return timers.length == 0 ? null : timers[kind];
  }

  public void timer(int kind, TimerWheel.@Nullable Timer timer) {
    if (timers.length == 0) {
      timers = new TimerWheel.@Nullable Timer[TIMERS];
    }
    timers[kind] = timer;
  }

  /** Whether a timeout of this activity, or of one around it, was due by a monotonic time. */
  public boolean isOverdue(long nowNanos) {
    for (Activity at = this; at != null; at = at.parent) {
      if (isDue(at.timer(TASK_TIMEOUT), nowNanos) || isDue(at.timer(ATTEMPT_TIMEOUT), nowNanos)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDue(TimerWheel.@Nullable Timer timer, long nowNanos) {
    return timer != null && timer.deadlineNanos - nowNanos <= 0;
  }

  /** Stores the number under which a timer is set; 0 for none. */
  void arm(int kind, int attempt) {
    if (armed.length == 0) {
      armed = new int[TIMERS];
    }
    armed[kind] = attempt;
  }

  /** The number under which a timer is set, or 0. */
  public int armed(int kind) {
    return armed.length == 0 ? NOTHING : armed[kind];
  }

  /** Whether its task waits for a time or an event. */
  public boolean waits() {
    return armed(DELAY) != NOTHING || (listening != null && listening.waits());
  }

  public static int timerKinds() {
    return TIMERS;
  }

  @Override
  public @Nullable Payload variable(String name) {
    return TaskVariables.of(this, name);
  }

  /** The variables of the task as they are now, for another thread. */
  public Scope frozenScope() {
    return TaskVariables.frozen(this);
  }

  /** The instance that it is part of. */
  public Instance instance() {
    return instance;
  }

  /** The task. */
  public Node node() {
    return node;
  }

  /** Its slot, by which events name it. */
  public int slot() {
    return slot;
  }

  /** Input of the task before {@code input.from}. */
  public Payload rawInput() {
    return rawInput;
  }

  /** Output of the task, once it is known. */
  public Payload output() {
    return output;
  }

  /** Input of the task. */
  public Payload input() {
    return input;
  }

  /** Wall-clock time at which the task began. */
  public long startedAtEpochMillis() {
    return startedAtEpochMillis;
  }

  /** What it listens to, and what it has received; null when it does not listen. */
  public @Nullable ListenState listening() {
    return listening;
  }

  /** The first activity inside, or null. */
  public @Nullable Activity firstChild() {
    return firstChild;
  }
}

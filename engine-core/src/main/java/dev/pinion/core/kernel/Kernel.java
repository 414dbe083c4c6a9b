package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.listen.EventIntake;
import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.kernel.listen.ListenerIndex;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.observation.ObservedEffects;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.output.OutputCommitQueue;
import dev.pinion.core.kernel.output.ReplyQueue;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.Stepper;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.kernel.table.PendingResultReads;
import dev.pinion.core.kernel.table.StartKeyTable;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.spi.InstanceObserver;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that owns instances: receives events from its lanes, steps the instance concerned and
 * routes the effects.
 *
 * <pre>
 *   requests ────▶┌────────┐──▶ invoke (permits) ──▶ Invoker ──────┐
 *   timers ──────▶│ Kernel │──▶ evaluate (permits) ▶ evaluators ───┤
 *   completions ─▶└────────┘──▶ reply                              │
 *        ▲───────────────────────────────────────────────────────◀─┘
 * </pre>
 *
 * <p>The path out and back is a cycle; it cannot lock up because a call takes a permit on its way
 * out, the lane of completions holds a message for every permit, and starts, the only thing that
 * may be refused, are refused here, at admission.
 *
 * <p>A duty cycle gives each kind of work (completions, timers, requests, turns of instances with
 * more to do) about the time of one long expression, so that none of them waits for long and I/O on
 * the same event loop gets its turn.
 */
public final class Kernel implements Stage {
  /** Interval of heap checks while calls or queries wait for room, which other kernels may free. */
  private static final long HEAP_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Interval of checks for room in the journal while events wait. */
  private static final long JOURNAL_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Interval of checks for room off the heap while packed values stay on it. */
  private static final long COOL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int index;
  private final EngineLimits limits;
  private final GraphSource graphs;
  private final Journal journal;
  private final KernelMemory space;
  private final CycleTime time;
  private final Lane<KernelMessage> requests;
  private final Lane<Completion> completions;
  private final KernelCounters counters = new KernelCounters();
  private final OutputCommitQueue commitQueue;
  private final ReplyQueue replyQueue;
  private final EffectRouter router;
  private final @Nullable HistoryEventProducer observed;
  private final MemoryAccount memoryAccount;
  private final Instances instances;
  private final InstanceQueries instanceQueries;
  private final OrderedStarts ordered;
  private final Turns turns;
  private final Starts starts;
  private final Children children;
  private final Schedules schedules;
  private final WallClockTimers wallClock;
  private final SnapshotWork snapshots;
  private final EventIntake events;
  private final EventWork eventWork;
  private final KernelPartitions kernelPartitions;
  private final SharedWork sharedWork;
  private final Consumer<KernelMessage> onRequest;
  private final Consumer<Completion> onCompletion;

  private long timersHeldUntilNanos = Long.MIN_VALUE;
  private volatile boolean frozen;

  /**
   * A kernel.
   *
   * @param index its number among the kernels, by which effects name it
   * @param limits the bounds in force
   * @param definitions what it knows of the definitions
   * @param outputs where it sends what its instances do
   * @param space heap account and cold store of the instances' values
   * @param nowNanos monotonic time at which the kernel begins
   */
  public Kernel(
      int index,
      EngineLimits limits,
      DefinitionSources definitions,
      KernelOutputs outputs,
      KernelMemory space,
      long nowNanos) {
    KernelLimits own = limits.kernel();
    this.index = index;
    this.space = space;
    this.limits = limits;
    this.graphs = definitions.graphs();
    this.journal = outputs.journal();
    this.time = new CycleTime(nowNanos);
    this.commitQueue = new OutputCommitQueue(journal);
    this.requests = new Lane<>("requests-" + index, own.inboxCapacity());
    this.completions = new Lane<>("completions-" + index, own.maxCompletions());
    this.replyQueue = new ReplyQueue(outputs.lanes());
    EventRecorder recorder = new EventRecorder(journal, time);
    this.events = new EventIntake(index, journal);
    this.memoryAccount =
        new MemoryAccount(MemoryAccount.boundOf(limits), space, recorder::recordNoRoom);
    this.instances =
        new Instances(
            new FinishedInstances(own, space.cold(), time::nowNanos),
            new StartKeyTable(own.maxStartKeys(), TimeUnit.MINUTES.toNanos(own.startKeyMinutes())),
            memoryAccount,
            definitions.defaultDurability(),
            counters);
    EventDelivery delivery =
        new EventDelivery(index, outputs.lanes(), memoryAccount.packing(), time);
    EventMatcher matcher =
        new EventMatcher(events, new ListenerIndex(), delivery, limits, counters.listening());
    this.eventWork = new EventWork(matcher, delivery, journal, space.heap());
    this.router =
        new EffectRouter(
            index,
            own,
            new ServiceBinder(definitions.bindings(), recorder),
            new EffectRouter.Outputs(
                outputs.lanes(), outputs.observer(), commitQueue, replyQueue, matcher),
            instances,
            nowNanos);
    InstanceObserver observer = outputs.observer();
    this.observed = observer.observesAll() ? new HistoryEventProducer(observer) : null;
    EffectSink effects = observed == null ? router : new ObservedEffects(router, observed);
    int maxWaiters = limits.instance().maxWaiters();
    PendingResultReads pendingResultReads =
        new PendingResultReads(space.heap(), own.inboxCapacity());
    this.instanceQueries =
        new InstanceQueries(
            instances, pendingResultReads, maxWaiters, journal, commitQueue, replyQueue);
    CallbackRelay callbackRelay =
        new CallbackRelay(
            index,
            own.maxLateAnswers(),
            space.heap(),
            outputs.lanes(),
            instances,
            instanceQueries,
            replyQueue);
    this.ordered = new OrderedStarts(own.maxOrderedStarts());
    this.turns =
        new Turns(
            limits,
            new Stepper(limits, effects, memoryAccount),
            recorder,
            memoryAccount,
            instances,
            instanceQueries,
            ordered);
    delivery.attach(turns, router.children(), instances.schedules());
    Admission admission =
        new Admission(own, instances, ordered, journal, memoryAccount.packing(), space.heap());
    DuplicateStarts duplicateStarts = new DuplicateStarts(instances, maxWaiters, instanceQueries);
    this.starts = new Starts(graphs, instances, admission, duplicateStarts, ordered, turns, router);
    this.children =
        new Children(
            graphs,
            limits,
            new ChildAdmission(limits, admission, instances, journal),
            instances,
            turns,
            router,
            observed);
    RetryAndRerun retryAndRerun =
        new RetryAndRerun(
            graphs, instances, duplicateStarts, router, instanceQueries, starts, turns);
    Controls controls = new Controls(instances, turns, router, instanceQueries);
    this.schedules =
        new Schedules(
            graphs,
            definitions.ownedPartitions(),
            limits,
            admission,
            router.children(),
            matcher,
            instances,
            turns);
    ScheduleQueries scheduleQueries =
        new ScheduleQueries(schedules, instances, turns, router, instanceQueries);
    this.wallClock = new WallClockTimers(instances, router, turns);
    this.snapshots =
        new SnapshotWork(
            instances, router.children(), matcher.recorded(), memoryAccount.packing(), journal);
    this.kernelPartitions =
        new KernelPartitions(
            instances,
            ordered,
            router,
            memoryAccount,
            journal,
            instanceQueries,
            events,
            this::state);
    EffectCompletions effectCompletions =
        new EffectCompletions(
            instances, router, turns, kernelPartitions, callbackRelay, matcher, wallClock);
    this.onCompletion = effectCompletions::onCompletion;
    RequestDispatch dispatch =
        new RequestDispatch(
            space.heap(),
            starts,
            controls,
            retryAndRerun,
            callbackRelay,
            scheduleQueries,
            instanceQueries);
    this.onRequest = dispatch::onRequest;
    this.sharedWork =
        new SharedWork(
            turns, instanceQueries, starts, children, schedules, effectCompletions, eventWork);
  }

  /** Lane of events and queries from the Request Handlers. */
  public Lane<KernelMessage> requests() {
    return requests;
  }

  /** Lane of the outcomes of calls and evaluations. */
  public Lane<Completion> completions() {
    return completions;
  }

  /** The kernel as a receiver of events; its lane needs the wake-up of the kernel. */
  public EventIntake events() {
    return events;
  }

  /** Counters of this kernel. */
  public KernelCounters counters() {
    return counters;
  }

  @Override
  public String role() {
    return "kernel-" + index;
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    if (frozen) {
      return 0;
    }
    time.advance(nowNanos, epochMillis);
    router.setTime(nowNanos);
    if (!starts.isOrderRestored() && !kernelPartitions.hasWork()) {
      starts.restoreOrder();
    }
    int work = replyQueue.resend() + journal.flush() + commitQueue.release() + router.grant();
    work += sharedWork.drain(completions, onCompletion);
    boolean arrives = kernelPartitions.isArriving(); // then keepers and parents may not be here yet
    work += (arrives ? 0 : sharedWork.keepSchedules()) + wallClock.work();
    if (nowNanos >= timersHeldUntilNanos) {
      work += sharedWork.fireTimers(nowNanos);
    }
    if (replyQueue.areAllSent()) { // what waited in the lane is not counted
      work += sharedWork.drain(requests, onRequest) + sharedWork.answerHeldUp();
    }
    work += sharedWork.giveEvents();
    work += sharedWork.reportRefusals() + sharedWork.runTurns();
    work += sharedWork.startOrdered() + (arrives ? 0 : sharedWork.workOnChildren());
    int moved = kernelPartitions.work(nowNanos);
    if (moved > 0) {
      starts.recheckOrder();
      schedules.recheck();
    }
    if (moved > 0 && !kernelPartitions.hasWork()) { // once, as it looks at all instances
      wallClock.reset();
    }
    work += moved;
    makeRoom();
    publishCounters();
    return work + snapshots.work(limits.expression().loopSteps());
  }

  private void makeRoom() {
    instances.finished().moveToColdStore();
    memoryAccount.packing().cool();
    memoryAccount.packing().makeRoom(0); // other kernels may have filled the heap meanwhile
  }

  private void publishCounters() {
    int calls = router.calls().used();
    int evaluations = router.evaluations().used();
    counters.pending(router.timers().size(), calls, evaluations);
    counters.waitingStartBytes(ordered.heapBytes());
    instances.publishCounters(calls + evaluations);
  }

  @Override
  public boolean hasWork() {
    return !frozen && hasWorkToDo();
  }

  private boolean hasWorkToDo() {
    return !turns.isEmpty()
        || !completions.isEmpty()
        || !requests.isEmpty()
        || eventWork.hasWork()
        || router.hasFailedCalls()
        || commitQueue.canRelease()
        || instanceQueries.canResume()
        || kernelPartitions.hasWork()
        || ordered.hasWork()
        || children.hasWork()
        || schedules.hasWork()
        || snapshots.hasWork()
        || !replyQueue.areAllSent();
  }

  @Override
  public long nextDeadlineNanos() {
    if (frozen) {
      return NO_DEADLINE;
    }
    long timers = Math.max(router.timers().nextDeadlineNanos(), timersHeldUntilNanos);
    timers = Math.min(timers, schedules.nextDeadlineNanos());
    timers = Math.min(timers, wallClock.nextDeadlineNanos());
    if (memoryAccount.packing().waitsForRoom()) { // with starts refused no other event may come
      timers = Math.min(timers, time.nowNanos() + COOL_NANOS);
    }
    if (eventWork.isHeldUp()) {
      timers = Math.min(timers, time.nowNanos() + JOURNAL_POLL_NANOS);
    }
    boolean waits = router.waitsForRoom() || instanceQueries.isHeldUp() || children.isHeldUp();
    return waits ? Math.min(timers, time.nowNanos() + HEAP_POLL_NANOS) : timers;
  }

  @Override
  public void onPause(long untilNanos) {
    timersHeldUntilNanos = untilNanos;
  }

  /**
   * Stops for ever in the present state: the rest continues when the journal is replayed. Any
   * thread; effective after the present duty cycle.
   */
  public void freeze() {
    frozen = true;
  }

  /** The instances. Kernel thread only. */
  public Instances instances() {
    return instances;
  }

  /** Router of the effects. Kernel thread only. */
  public EffectRouter router() {
    return router;
  }

  /** Charges of the instances. Kernel thread only. */
  public MemoryAccount memoryAccount() {
    return memoryAccount;
  }

  /**
   * Requests the kernel's part of a snapshot, which it writes between its other work. Any thread,
   * which wakes the kernel afterwards. Abandons its part of an earlier snapshot.
   */
  public void snapshot(SnapshotSink sink) {
    snapshots.request(sink);
  }

  /**
   * Writes the kernel's part of a snapshot at once. The kernel has stopped, all its records are
   * durable, and the sink accepts everything.
   */
  public void snapshotNow(SnapshotSink sink) {
    snapshots.writeNow(sink);
  }

  /**
   * Requests the departure of partitions, which the kernel carries out between its other work. Any
   * thread, which wakes the kernel afterwards; one departure at a time, and no snapshot meanwhile.
   */
  public void releasePartitions(PartitionRelease partitionRelease) {
    kernelPartitions.request(partitionRelease);
  }

  /**
   * Requests the arrival of partitions, which the kernel carries out between its other work. Any
   * thread, which wakes the kernel afterwards; one arrival at a time, and no snapshot meanwhile.
   */
  public void acquirePartitions(PartitionAcquisition partitionAcquisition) {
    kernelPartitions.request(partitionAcquisition);
  }

  /** Carries out an {@link #acquirePartitions arrival} at once. Before the first duty cycle. */
  public void acquirePartitionsNow(PartitionAcquisition partitionAcquisition, long atNanos) {
    kernelPartitions.acquireNow(partitionAcquisition, atNanos);
  }

  /** Excludes partitions that another kernel holds. Before the first duty cycle. */
  public void exclude(BitSet partitions) {
    instances.release(partitions);
    events.exclude(partitions);
  }

  /** The parts that a replay of the journal rebuilds. Before the first duty cycle. */
  public KernelState state() {
    return new KernelState(instances, graphs, router, memoryAccount, limits, space, observed);
  }
}

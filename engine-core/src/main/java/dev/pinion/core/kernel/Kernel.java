package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.listen.EventIntake;
import dev.pinion.core.kernel.listen.EventMatcher;
import dev.pinion.core.kernel.listen.ListenerIndex;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.KernelMemory;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.Stepper;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.HeapAccount;
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
  private static final int MESSAGES_PER_CYCLE = 1_024;
  private static final int TIMERS_PER_CYCLE = 1_024;

  /** Rounds of work on children: many ends and cancellations cost no steps of expressions. */
  private static final int CHILDREN_PER_CYCLE = 1_024;

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
  private final PendingResultReads pendingResultReads;
  private final InstanceQueries instanceQueries;
  private final OrderedStarts ordered;
  private final Turns turns;
  private final Starts starts;
  private final Children children;
  private final Schedules schedules;
  private final ScheduleQueries scheduleQueries;
  private final WallClockTimers wallClock;
  private final RetryAndRerun retryAndRerun;
  private final Controls controls;
  private final SnapshotWork snapshots;
  private final CallbackRelay callbackRelay;
  private final EventIntake events;
  private final EventDelivery delivery;
  private final EventMatcher matcher;

  /** Charge for events that are kept for listeners to come; null before the first. */
  private HeapAccount.@Nullable Share keptEvents;

  private final KernelPartitions kernelPartitions;
  private final Consumer<KernelMessage> onRequest = this::onRequest;
  private final EffectCompletions effectCompletions;
  private final Consumer<Completion> onCompletion;

  /** Whether instances that came from a journal and have not begun hold later starts. */
  private boolean orderRestored;

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
    this.delivery = new EventDelivery(index, outputs.lanes(), memoryAccount.packing(), time);
    this.matcher =
        new EventMatcher(events, new ListenerIndex(), delivery, limits, counters.listening());
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
    this.pendingResultReads = new PendingResultReads(space.heap(), own.inboxCapacity());
    this.instanceQueries =
        new InstanceQueries(
            instances, pendingResultReads, maxWaiters, journal, commitQueue, replyQueue);
    this.callbackRelay =
        new CallbackRelay(
            index, own.maxLateAnswers(), space.heap(), outputs.lanes(), instanceQueries);
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
    this.retryAndRerun =
        new RetryAndRerun(
            graphs, instances, duplicateStarts, router, instanceQueries, starts, turns);
    this.controls = new Controls(instances, turns, router, instanceQueries);
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
    this.scheduleQueries =
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
    this.effectCompletions =
        new EffectCompletions(
            instances, router, turns, kernelPartitions, callbackRelay, matcher, wallClock);
    this.onCompletion = effectCompletions::onCompletion;
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
    restoreStartOrder();
    int work = replyQueue.resend() + journal.flush() + commitQueue.release() + router.grant();
    work += drain(completions, onCompletion) + keepSchedules() + wallClock.work();
    if (nowNanos >= timersHeldUntilNanos) {
      work += fireTimers(nowNanos);
    }
    if (replyQueue.areAllSent()) {
      work += drain(requests, onRequest) + answerHeldUp(); // what waited in the lane is not counted
    }
    work += giveEvents();
    work += reportRefusals() + turns.runQueued(turnShare()) + startOrdered() + workOnChildren();
    int moved = kernelPartitions.work(nowNanos);
    if (moved > 0) {
      orderRestored = false;
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

  /** Compares events with listeners, which get those that they wait for. */
  private int giveEvents() {
    long share = share();
    int steps = 0;
    while (spent() < share && mayReceive() && matcher.step()) {
      steps++;
    }
    boolean further = matcher.checkpoint();
    chargeKept(matcher.keptBytes());
    return further ? steps + 1 : steps;
  }

  /** Charges the heap for events that are kept. */
  private void chargeKept(long bytes) {
    HeapAccount.Share charge = keptEvents;
    if (charge == null && bytes > 0) {
      charge = space.heap().open();
      keptEvents = charge;
    }
    if (charge != null && charge.bytes() != bytes) {
      charge.add(bytes - charge.bytes());
    }
  }

  /** Whether instances may receive events: what they lead to needs room in the journal. */
  private boolean mayReceive() {
    return journal.refusal() == null && !delivery.isBehind();
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
    counters.unfinished(instances.inMemory() + calls + evaluations);
    counters.startKeysFull(instances.keys().isFull());
    counters.waitingStartBytes(ordered.heapBytes());
    counters.schedules().kept(instances.schedules().size());
    counters.snapshotBytes(
        memoryAccount.journalledBytes() + instances.finished().journalledBytes());
  }

  @Override
  public boolean hasWork() {
    return !frozen && hasWorkToDo();
  }

  private boolean hasWorkToDo() {
    return !turns.isEmpty()
        || !completions.isEmpty()
        || !requests.isEmpty()
        || (matcher.hasWork() && mayReceive())
        || router.hasFailedCalls()
        || commitQueue.canRelease()
        || pendingResultReads.canPoll()
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
    if (matcher.hasWork() && !mayReceive()) {
      timers = Math.min(timers, time.nowNanos() + JOURNAL_POLL_NANOS);
    }
    boolean waits = router.waitsForRoom() || pendingResultReads.areAwaited() || children.isHeldUp();
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

  /** Value of {@link #spent} up to which the kernel may do one kind of work now. */
  private long share() {
    return spent() + limits.expression().loopSteps();
  }

  private long spent() {
    return turns.spent() + instanceQueries.spent() + children.spent() + matcher.spent();
  }

  private long turnShare() {
    return turns.spent() + limits.expression().loopSteps();
  }

  private <T> int drain(Lane<T> lane, Consumer<T> consumer) {
    long share = share();
    int taken = 0;
    while (taken < MESSAGES_PER_CYCLE && spent() < share && lane.drain(consumer, 1) == 1) {
      taken++;
    }
    return taken;
  }

  /** Answers queries that have waited for room, where there is some; returns how many. */
  private int answerHeldUp() {
    long share = share();
    int answered = 0;
    while (spent() < share) {
      PendingResultReads.ResultRead read = pendingResultReads.poll();
      if (read == null) {
        break;
      }
      instanceQueries.resume(read);
      answered++;
    }
    return answered;
  }

  private void onRequest(KernelMessage message) {
    switch (message) {
      case Command.Start start -> {
        space.heap().endTransfer(start.input());
        starts.start(start);
      }
      case Command.InstanceControl control -> controls.control(control);
      case Command.Retry retry -> retryAndRerun.retry(retry);
      case Command.Rerun rerun -> retryAndRerun.rerun(rerun);
      case Command.AcceptCallback late -> {
        space.heap().endTransfer(late.answer().bytes().length);
        onCallback(late);
      }
      case Command.ControlSchedule control -> scheduleQueries.control(control);
      case Query.InstanceQuery query -> instanceQueries.answer(query);
      case Query.ListInstances list -> instanceQueries.answer(list);
      case Query.ScheduleQuery query -> scheduleQueries.answer(query);
    }
  }

  private void onCallback(Command.AcceptCallback late) {
    if (instances.isReleased(late.partition())) {
      replyQueue.send(late.replyTo(), new Reply.NotOwner());
    } else {
      callbackRelay.onCallback(late, instances.running(late.id()));
    }
  }

  /** Begins starts whose predecessors have all begun. */
  private int startOrdered() {
    long share = share();
    int begun = 0;
    while (spent() < share && starts.startNextInOrder()) {
      begun++;
    }
    return begun;
  }

  /** Begins and ends schedules; not while instances arrive, which may keep some. */
  private int keepSchedules() {
    if (kernelPartitions.isArriving()) {
      return 0;
    }
    long share = share();
    int checked = 0;
    while (spent() < share && schedules.workOnce()) {
      checked++;
    }
    return checked;
  }

  /** Starts and ends children; not while instances arrive, whose parents may not be here yet. */
  private int workOnChildren() {
    if (kernelPartitions.isArriving()) {
      return 0;
    }
    long share = share();
    int work = children.compare();
    int done = 1;
    int rounds = 0;
    while (done > 0 && rounds++ < CHILDREN_PER_CYCLE && spent() < share) {
      done = children.workOnce();
      work += done;
    }
    return work;
  }

  private void restoreStartOrder() {
    if (!orderRestored && !kernelPartitions.hasWork()) {
      orderRestored = true;
      starts.restoreOrder();
    }
  }

  private int fireTimers(long nowNanos) {
    long share = share();
    int fired = 0;
    while (fired < TIMERS_PER_CYCLE && spent() < share && effectCompletions.fireTimer(nowNanos)) {
      fired++;
    }
    return fired;
  }

  /** Reports calls that could not be made to their instances. */
  private int reportRefusals() {
    long share = share();
    int reported = 0;
    while (spent() < share && effectCompletions.reportFailedCall()) {
      reported++;
    }
    return reported;
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

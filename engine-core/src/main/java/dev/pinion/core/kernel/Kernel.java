package dev.pinion.core.kernel;

import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.OrderingKey;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.spi.InstanceObserver;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
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

  /** Interval of heap checks while calls or queries wait for room, which other kernels may free. */
  private static final long HEAP_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Interval of checks for room off the heap while packed values stay on it. */
  private static final long COOL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Reply.LimitReached PARTITION_MOVING =
      new Reply.LimitReached("partitions that move");

  private final int index;
  private final EngineLimits limits;
  private final GraphSource graphs;
  private final Durability defaultDurability;
  private final Journal journal;
  private final KernelMemory space;
  private final Lane<KernelMessage> requests;
  private final Lane<Completion> completions;
  private final KernelCounters counters = new KernelCounters();
  private final OutputCommitQueue gate;
  private final ReplyQueue replyQueue;
  private final EffectRouter router;
  private final ServiceBinder services;
  private final EffectSwitch effects;
  private final MemoryAccount memoryAccount;
  private final ValuePacking valuePacking;
  private final Stepper stepper;
  private final Long2ObjectHashMap<Instance> instances = new Long2ObjectHashMap<>();
  private final FinishedInstances finished;
  private final PendingResultReads pendingResultReads;
  private final InstanceQueries instanceQueries;
  private final StartKeys keys;
  private final DuplicateStarts duplicateStarts;
  private final RetryAndRerun retryAndRerun;
  private final CallbackRelay callbackRelay;
  private final OrderedStarts ordered;
  private final KernelPartitions kernelPartitions =
      new KernelPartitions(this::dropping, this::forget, this::recovery);
  private final Deque<Instance> runnable = new ArrayDeque<>();
  private final Consumer<KernelMessage> onRequest = this::onRequest;
  private final Consumer<Completion> onCompletion = this::onCompletion;
  private @Nullable InstanceId lastId;

  /** The first assigned id, as far as it is known. */
  private @Nullable InstanceId firstId;

  /** Whether instances that came from a journal and have not begun hold later starts. */
  private boolean orderRestored;

  /** Running instances that are not journalled. */
  private int inMemory;

  private long nowNanos;
  private long timersHeldUntilNanos = Long.MIN_VALUE;
  private long nowEpochMillis;
  private volatile boolean frozen;
  private volatile @Nullable SnapshotSink requestedSnapshot;
  private @Nullable SnapshotPass snapshotPass;

  /**
   * A kernel.
   *
   * @param index its number among the kernels, by which effects name it
   * @param limits the bounds in force
   * @param graphs compiled definitions
   * @param bindings source of concrete services for abstract ones
   * @param defaultDurability durability of instances whose definition does not say
   * @param journal journal of the events
   * @param observer notified of what tasks do
   * @param outlets receivers of effects
   * @param space heap account and cold store of the instances' values
   * @param nowNanos monotonic time at which the kernel begins
   */
  public Kernel(
      int index,
      EngineLimits limits,
      GraphSource graphs,
      BindingSource bindings,
      Durability defaultDurability,
      Journal journal,
      InstanceObserver observer,
      EffectLanes outlets,
      KernelMemory space,
      long nowNanos) {
    this.index = index;
    this.nowNanos = nowNanos;
    this.space = space;
    this.limits = limits;
    this.graphs = graphs;
    this.defaultDurability = defaultDurability;
    this.journal = journal;
    this.gate = new OutputCommitQueue(journal);
    this.requests = new Lane<>("requests-" + index, limits.kernel().inboxCapacity());
    this.completions = new Lane<>("completions-" + index, limits.kernel().maxCompletions());
    this.replyQueue = new ReplyQueue(outlets);
    this.services = new ServiceBinder(bindings, this::recordBinding);
    this.router =
        new EffectRouter(
            index,
            limits.kernel(),
            services,
            observer,
            counters,
            outlets,
            gate,
            replyQueue,
            new Owner(),
            space.heap(),
            nowNanos);
    this.effects =
        new EffectSwitch(
            router, observer.observesAll() ? new HistoryEventProducer(observer) : null);
    this.memoryAccount = new MemoryAccount(MemoryAccount.boundOf(limits), space, effects);
    this.valuePacking = memoryAccount.packing();
    this.stepper = new Stepper(limits, effects, memoryAccount);
    this.finished = new FinishedInstances(limits.kernel(), space.cold(), () -> this.nowNanos);
    this.pendingResultReads = new PendingResultReads(space.heap(), limits.kernel().inboxCapacity());
    this.instanceQueries =
        new InstanceQueries(
            instances,
            finished,
            pendingResultReads,
            limits.instance().maxWaiters(),
            journal,
            gate,
            replyQueue,
            this::isGiven);
    this.callbackRelay =
        new CallbackRelay(
            index, limits.kernel().maxLateAnswers(), space.heap(), outlets, instanceQueries);
    this.keys =
        new StartKeys(
            limits.kernel().maxStartKeys(),
            TimeUnit.MINUTES.toNanos(limits.kernel().startKeyMinutes()));
    this.ordered = new OrderedStarts(limits.kernel().maxOrderedStarts());
    this.duplicateStarts =
        new DuplicateStarts(
            keys, instances, finished, limits.instance().maxWaiters(), instanceQueries);
    this.retryAndRerun =
        new RetryAndRerun(
            instances,
            finished,
            duplicateStarts,
            graphs,
            router,
            instanceQueries,
            new RetryHostAdapter());
  }

  /** Lane of events and queries from the Request Handlers. */
  public Lane<KernelMessage> requests() {
    return requests;
  }

  /** Lane of the outcomes of calls and evaluations. */
  public Lane<Completion> completions() {
    return completions;
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
    this.nowNanos = nowNanos;
    nowEpochMillis = epochMillis;
    router.setTime(nowNanos);
    restoreStartOrder();
    int work = replyQueue.resend() + journal.flush() + gate.release() + router.grant();
    work += drain(completions, onCompletion);
    if (nowNanos >= timersHeldUntilNanos) {
      work += fireTimers(nowNanos);
    }
    if (replyQueue.areAllSent()) {
      work += drain(requests, onRequest) + answerHeldUp(); // what waited in the lane is not counted
    }
    work += reportRefusals() + runTurns() + startOrdered();
    int moved = kernelPartitions.work(nowNanos);
    orderRestored &= moved == 0;
    work += moved;
    finished.moveToColdStore();
    valuePacking.cool();
    valuePacking.makeRoom(0); // other kernels may have filled the heap while nothing happened here
    counters.unfinished(inMemory + router.calls().used() + router.evaluations().used());
    counters.startKeysFull(keys.isFull());
    counters.waitingStartBytes(ordered.heapBytes());
    counters.snapshotBytes(memoryAccount.journalledBytes() + finished.journalledBytes());
    return work + workOnSnapshot();
  }

  @Override
  public boolean hasWork() {
    return !frozen && hasWorkToDo();
  }

  private boolean hasWorkToDo() {
    return !runnable.isEmpty()
        || !completions.isEmpty()
        || !requests.isEmpty()
        || router.hasFailedCalls()
        || gate.canRelease()
        || pendingResultReads.canPoll()
        || requestedSnapshot != null
        || kernelPartitions.hasWork()
        || ordered.hasWork()
        || (snapshotPass != null && snapshotPass.hasWork())
        || !replyQueue.areAllSent();
  }

  @Override
  public long nextDeadlineNanos() {
    if (frozen) {
      return NO_DEADLINE;
    }
    long timers = Math.max(router.timers().nextDeadlineNanos(), timersHeldUntilNanos);
    if (valuePacking
        .waitsForRoom()) { // starts may be refused meanwhile, so that no other event comes
      timers = Math.min(timers, nowNanos + COOL_NANOS);
    }
    boolean waits = router.waitsForRoom() || pendingResultReads.areAwaited();
    return waits ? Math.min(timers, nowNanos + HEAP_POLL_NANOS) : timers;
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

  /** Number of running instances. Kernel thread only. */
  int running() {
    return instances.size();
  }

  /** A running instance, or null. Kernel thread only. */
  @Nullable Instance instance(InstanceId id) {
    return instances.get(id.value());
  }

  /** Router of the effects. Kernel thread only. */
  EffectRouter router() {
    return router;
  }

  /** Off-heap store of waiting values. Kernel thread only. */
  ColdStore cold() {
    return space.cold();
  }

  /** Packer of waiting values. Kernel thread only. */
  ValuePacking packing() {
    return valuePacking;
  }

  /** Heap bytes charged to instances. Kernel thread only. */
  long heldBytes() {
    return memoryAccount.heapBytes();
  }

  /** Values examined so far to charge instances anew. Kernel thread only. */
  long looksToCharge() {
    return memoryAccount.looks();
  }

  /** Value of {@link #spent} up to which the kernel may do one kind of work now. */
  private long share() {
    return spent() + limits.expression().loopSteps();
  }

  private long spent() {
    return stepper.spent() + instanceQueries.spent();
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
      if (kernelPartitions.isReleased(read.id().partition())) { // it has moved meanwhile
        replyQueue.send(read.replyTo(), new Reply.NotOwner());
      } else {
        instanceQueries.resume(read);
      }
      answered++;
    }
    return answered;
  }

  /** Writes a part of a snapshot, if one is requested; returns the amount of work, 0 or 1. */
  private int workOnSnapshot() {
    SnapshotSink wanted = requestedSnapshot;
    if (wanted != null) {
      requestedSnapshot = null;
      snapshotPass = pass(wanted);
    }
    SnapshotPass pass = snapshotPass;
    if (pass == null || !pass.hasWork()) {
      return 0;
    }
    pass.work(limits.expression().loopSteps());
    if (pass.isOver()) {
      snapshotPass = null;
    }
    return 1;
  }

  private SnapshotPass pass(SnapshotSink sink) {
    return new SnapshotPass(sink, instances, valuePacking, finished, keys, journal, this::givenIds);
  }

  private void onRequest(KernelMessage message) {
    switch (message) {
      case Command.Start start -> {
        space.heap().endTransfer(start.input());
        onStart(start);
      }
      case Command.InstanceControl instanceControl -> onControl(instanceControl);
      case Command.Retry retry when kernelPartitions.isReleased(retry.partition()) ->
          replyQueue.send(retry.replyTo(), PARTITION_MOVING);
      case Command.Retry retry -> retryAndRerun.retry(retry, nowNanos);
      case Command.Rerun rerun when kernelPartitions.isReleased(rerun.partition()) ->
          replyQueue.send(rerun.replyTo(), PARTITION_MOVING);
      case Command.Rerun rerun -> retryAndRerun.rerun(rerun, nowNanos);
      case Command.AcceptCallback late -> {
        space.heap().endTransfer(late.answer().bytes().length);
        onCallback(late);
      }
      case Query.GetInstance query when kernelPartitions.isReleased(query.id().partition()) ->
          replyQueue.send(query.replyTo(), new Reply.NotOwner());
      case Query.WatchInstance query when kernelPartitions.isReleased(query.id().partition()) ->
          replyQueue.send(query.replyTo(), new Reply.NotOwner());
      case Query query -> instanceQueries.answer(query);
    }
  }

  private void onCallback(Command.AcceptCallback late) {
    if (kernelPartitions.isReleased(late.id().partition())) {
      replyQueue.send(late.replyTo(), new Reply.NotOwner());
    } else {
      callbackRelay.onCallback(late, instances.get(late.id().value()));
    }
  }

  private void onStart(Command.Start start) {
    if (isAnswered(start)) {
      return;
    }
    OrderingKey order = OrderingKey.of(start.definition(), start.tags());
    if (order != null && ordered.hasPredecessor(order)) {
      waitInOrder(order, start);
    } else {
      begin(start, order);
    }
  }

  /** Answers a start whose partition has moved away, or that was made before. */
  private boolean isAnswered(Command.Start start) {
    if (kernelPartitions.isReleased(start.partition())) {
      counters.onRefused();
      answer(start, PARTITION_MOVING);
      return true;
    }
    StartKey key = start.key();
    return key != null
        && duplicateStarts.answer(
            new DuplicateStarts.DuplicateStart(start.replyTo(), start.awaitEnd(), start.join()),
            key,
            nowNanos);
  }

  private void waitInOrder(OrderingKey order, Command.Start start) {
    boolean full = ordered.isFull();
    if (full || space.heap().refuses(ordered.heapBytes())) {
      counters.onRefused();
      String limit = full ? "kernel.maxOrderedStarts" : "kernel.maxHeldBytes";
      answer(start, new Reply.LimitReached(limit));
    } else {
      ordered.add(order, start);
    }
  }

  /** Begins starts whose predecessors have all begun. */
  private int startOrdered() {
    long share = share();
    int begun = 0;
    while (spent() < share) {
      Command.Start start = ordered.poll();
      if (start == null) {
        break;
      }
      if (!isAnswered(start)) {
        begin(start, OrderingKey.of(start.definition(), start.tags()));
      }
      begun++;
    }
    return begun;
  }

  /** Has restored instances that have not begun hold later starts. */
  private void restoreStartOrder() {
    if (orderRestored || kernelPartitions.hasWork()) {
      return;
    }
    orderRestored = true;
    for (Instance instance : instances.values()) {
      OrderingKey order = OrderingKey.of(instance.graph.key(), instance.tags);
      if (order != null && !instance.hasBegun()) {
        ordered.block(order, instance);
      }
    }
  }

  private void begin(Command.Start start, @Nullable OrderingKey order) {
    StartKey key = start.key();
    ProcessGraph graph = graphs.graph(start.definition());
    if (graph == null) {
      answer(start, new Reply.UnknownDefinition(start.definition()));
      return;
    }
    Reply.StartReply refusal = refusal(durability(graph), key);
    if (refusal != null) {
      counters.onRefused();
      answer(start, refusal);
      return;
    }
    Instance instance = accept(start, graph);
    services.started(instance);
    if (start.replyTo() != null) {
      accepted(instance, start.replyTo(), start.awaitEnd());
    }
    stepper.start(instance);
    if (order != null) {
      ordered.block(order, instance);
    }
    runTurn(instance, true);
  }

  private void accepted(
      Instance instance, ReplyAddress<Reply.StartReply> replyTo, boolean awaitEnd) {
    router.reply(instance, replyTo, new Reply.Accepted(instance.id, instance.graph.key()));
    if (awaitEnd) {
      instance.waiters().add(replyTo);
    }
  }

  private Instance accept(Command.Start start, ProcessGraph graph) {
    InstanceId id = InstanceId.next(nowEpochMillis, start.partition(), lastId);
    Event.Started started = start.accepted(graph.fingerprint());
    Instance instance = instance(id, graph, started, nowEpochMillis);
    instance.eventNanos = nowNanos;
    record(instance, started);
    if (start.key() != null) {
      keys.add(start.key(), id, graph.key(), nowNanos);
    }
    return instance;
  }

  /** Adds a new running instance. */
  private Instance instance(
      InstanceId id, ProcessGraph graph, Event.Started start, long epochMillis) {
    Instance instance =
        new Instance(id, graph, start.input(), epochMillis, durability(graph), start.tags());
    add(instance);
    return instance;
  }

  private void add(Instance instance) {
    instances.put(instance.id.value(), instance);
    memoryAccount.opened(instance);
    reserveId(instance.id);
    counters.onStarted();
    inMemory += instance.durability.isJournalled() ? 0 : 1;
  }

  /** Reserves an id: no later instance gets it or a lower one. */
  void reserveId(InstanceId id) {
    lastId = lastId == null || id.compareTo(lastId) > 0 ? id : lastId;
    firstId = firstId == null || id.compareTo(firstId) < 0 ? id : firstId;
  }

  /** The last assigned id and the first one, for a snapshot; zeros for none. */
  private long[] givenIds() {
    return lastId == null || firstId == null
        ? new long[] {0, 0}
        : new long[] {lastId.value(), firstId.value()};
  }

  /** Whether an id is between the first and last assigned ones: an absent instance is forgotten. */
  private boolean isGiven(InstanceId id) {
    return lastId != null
        && firstId != null
        && id.compareTo(lastId) <= 0
        && id.compareTo(firstId) >= 0;
  }

  private void record(Instance instance, Event event) {
    if (instance.durability.isJournalled()) {
      instance.journalled =
          journal.append(
              new JournalRecord(
                  instance.id,
                  instance.events,
                  nowNanos,
                  nowEpochMillis,
                  instance.advances,
                  event));
    }
  }

  /** Records with the time of the last event: calls that a replay makes again are bound too. */
  private void recordBinding(Instance instance, Event.ServiceBound serviceBound) {
    if (instance.durability.isJournalled()) {
      instance.journalled =
          journal.append(
              new JournalRecord(
                  instance.id,
                  instance.events,
                  instance.eventNanos,
                  instance.nowEpochMillis,
                  instance.advances,
                  serviceBound));
    }
  }

  private Durability durability(ProcessGraph graph) {
    return graph.durability() == null ? defaultDurability : graph.durability();
  }

  private Reply.@Nullable StartReply refusal(Durability durability, @Nullable StartKey key) {
    if (key != null && !durability.isJournalled()) {
      return new Reply.NotDurable();
    }
    if (key != null && keys.isFull()) {
      return new Reply.LimitReached("kernel.maxStartKeys");
    }
    if (instances.size() >= limits.kernel().maxInstances()) {
      return new Reply.LimitReached("kernel.maxInstances");
    }
    valuePacking.makeRoom(0);
    if (space.heap().refuses(ordered.heapBytes())) {
      return new Reply.LimitReached("kernel.maxHeldBytes");
    }
    Journal.Rejection rejection = durability.isJournalled() ? journal.refusal() : null;
    return switch (rejection) {
      case null -> null;
      case BEHIND -> new Reply.LimitReached("journal.laneCapacity");
      case UNREAD -> new Reply.LimitReached("journal.unreadLogBytes");
      case DISK_FULL -> new Reply.JournalDiskFull();
    };
  }

  private void answer(Command.Start start, Reply.StartReply reply) {
    if (start.replyTo() != null) {
      replyQueue.send(start.replyTo(), reply);
    }
  }

  private void onControl(Command.InstanceControl control) {
    Instance instance = instances.get(control.id().value());
    if (kernelPartitions.isReleased(control.partition())) {
      if (control.replyTo() != null) {
        replyQueue.send(control.replyTo(), new Reply.NotOwner());
      }
    } else if (instance != null && !isNoOp(instance, control)) {
      boolean wasIdle = instance.ready.isEmpty();
      apply(instance, event(control));
      if (control.replyTo() != null) {
        router.reply(instance, control.replyTo(), new Reply.Controlled(instance.view()));
      }
      proceed(instance, wasIdle);
    } else if (control.replyTo() != null) {
      instanceQueries.send(control.replyTo(), unchanged(instance, control.id()));
    }
  }

  private static Event.Trigger event(Command.InstanceControl control) {
    return switch (control) {
      case Command.Cancel(InstanceId id, _) -> new Event.Cancelled(id);
      case Command.Suspend(InstanceId id, _) -> new Event.Suspended(id);
      case Command.Resume(InstanceId id, _) -> new Event.Resumed(id);
    };
  }

  /**
   * Whether the instance is already in the wanted state: then this is no event and is not recorded.
   */
  private static boolean isNoOp(Instance instance, Command.InstanceControl control) {
    return switch (control) {
      case Command.Cancel _ -> false;
      case Command.Suspend _ -> instance.suspended;
      case Command.Resume _ -> !instance.suspended;
    };
  }

  private Reply.ControlReply unchanged(@Nullable Instance instance, InstanceId id) {
    if (instance != null) {
      return new Reply.Controlled(instance.view());
    }
    FinishedInstances.RetainedInstance retainedInstance = finished.find(id);
    if (retainedInstance != null) {
      return new Reply.AlreadyEnded(retainedInstance.brief);
    }
    return isGiven(id) ? new Reply.Evicted(id, false) : new Reply.NotFound();
  }

  private void onCompletion(Completion completion) {
    switch (completion) {
      case Event.CallCompleted done -> {
        router.callEnded(done);
        kernelPartitions.onCallEnded(done);
        if (!(done.outcome() instanceof CallOutcome.Aborted)) {
          submit(done.id(), done);
        }
      }
      case Event.ExpressionEvaluated expressionEvaluated -> {
        router.evaluationEnded(expressionEvaluated);
        submit(expressionEvaluated.id(), expressionEvaluated);
      }
      case Completion.CallbackHandled heard ->
          callbackRelay.onHandled(heard, kernelPartitions.isReleased(heard.id().partition()));
    }
  }

  private int fireTimers(long nowNanos) {
    long share = share();
    int fired = 0;
    while (fired < TIMERS_PER_CYCLE && spent() < share) {
      TimerWheel.Timer timer = router.timers().pollDue(nowNanos);
      if (timer == null) {
        break;
      }
      timer.activity.timer(timer.kind, null);
      Instance instance = timer.activity.instance;
      submit(
          instance,
          new Event.TimerFired(instance.id, timer.activity.slot, timer.kind, timer.attempt));
      fired++;
    }
    return fired;
  }

  /** Reports calls that could not be made to their instances. */
  private int reportRefusals() {
    long share = share();
    int reported = 0;
    while (spent() < share) {
      Event.CallCompleted refusal = router.pollFailedCall();
      if (refusal == null) {
        break;
      }
      submit(refusal.id(), refusal);
      reported++;
    }
    return reported;
  }

  private void submit(InstanceId id, Event.Trigger event) {
    Instance instance = instances.get(id.value());
    if (instance == null) {
      counters.onStale();
    } else {
      submit(instance, event);
    }
  }

  /**
   * Applies an event; if the instance has a turn coming the turn handles it, otherwise it is
   * handled now.
   */
  private void submit(Instance instance, Event.Trigger event) {
    boolean wasIdle = instance.ready.isEmpty();
    apply(instance, event);
    proceed(instance, wasIdle);
  }

  private void apply(Instance instance, Event.Trigger event) {
    instance.eventNanos = nowNanos;
    memoryAccount.wake(instance);
    record(instance, event);
    if (!stepper.apply(instance, event, nowEpochMillis)) {
      counters.onStale();
    }
  }

  private void proceed(Instance instance, boolean wasIdle) {
    if (instance.queued) {
      instanceQueries.changed(instance);
      memoryAccount.rest(instance);
    } else {
      runTurn(instance, wasIdle);
    }
  }

  /**
   * Runs one turn of an instance; what is left waits for the next duty cycle.
   *
   * @param follows whether the turn follows an event that came when nothing was ready: then a
   *     replay knows that the turn takes place, and how far it goes
   */
  private void runTurn(Instance instance, boolean follows) {
    long before = instance.advances;
    memoryAccount.wake(instance);
    if (stepper.turn(instance, limits.kernel().stepsPerTurn())) {
      instance.queued = true;
      runnable.add(instance);
    } else if (!follows && instance.advances != before) {
      record(instance, new Event.TurnsCompleted(instance.id));
    }
    if (instance.blocksLaterStarts && instance.hasBegun()) {
      OrderingKey order = OrderingKey.of(instance.graph.key(), instance.tags);
      ordered.release(Objects.requireNonNull(order), instance);
    }
    instanceQueries.changed(instance);
    memoryAccount.rest(instance);
  }

  private int runTurns() {
    long share = share();
    int queued = runnable.size();
    int turns = 0;
    while (turns < queued && spent() < share) {
      Instance instance = runnable.remove();
      instance.queued = false;
      if (!instance.released) {
        runTurn(instance, false);
      }
      turns++;
    }
    return turns;
  }

  private final class Owner implements EffectRouter.InstanceOwner {
    @Override
    public void onNoRoom(Instance instance, int check) {
      record(instance, new Event.MemoryExceeded(instance.id, check));
    }

    @Override
    public long releaseCall(Activity activity) {
      return memoryAccount.releaseCall(activity);
    }

    @Override
    public void wake(Instance instance) {
      memoryAccount.wake(instance);
    }

    @Override
    public void rest(Instance instance) {
      memoryAccount.rest(instance);
    }

    @Override
    public void onEnded(Instance instance) {
      instances.remove(instance.id.value());
      inMemory -= instance.durability.isJournalled() ? 0 : 1;
      InstanceView view = instance.view();
      counters.onEnded(view.state());
      services.ended(instance, view);
      FinishedInstance kept = new FinishedInstance(view, instance.rawInput, instance.stateToRetry);
      if (instance.durability.isJournalled()) {
        finished.add(kept);
      } else {
        finished.addUnjournalled(kept);
      }
    }
  }

  private final class RetryHostAdapter implements RetryAndRerun.RetryHost {
    @Override
    public Reply.@Nullable StartReply refusal(ProcessGraph graph) {
      Reply.StartReply refusal = Kernel.this.refusal(durability(graph), null);
      if (refusal != null) {
        counters.onRefused();
      }
      return refusal;
    }

    @Override
    public void takeUp(
        InstanceReader.RestoredInstance restoredInstance,
        Event.Retried event,
        Command.Retry wish) {
      Instance instance = restoredInstance.instance();
      add(instance);
      memoryAccount.restored(instance, restoredInstance.heldBytes());
      record(instance, event);
      accepted(instance, wish.replyTo(), wish.awaitEnd());
      new EffectResumption(stepper, limits.expression().maxSteps())
          .resume(restoredInstance, retryAndRerun.pendingEffects());
      stepper.apply(instance, event, nowEpochMillis);
      runTurn(instance, true);
    }

    @Override
    public void start(Command.Start start) {
      onStart(start);
    }
  }

  /**
   * Requests the kernel's part of a snapshot, which it writes between its other work. Any thread,
   * which wakes the kernel afterwards. Abandons its part of an earlier snapshot.
   */
  public void snapshot(SnapshotSink sink) {
    requestedSnapshot = sink;
  }

  /**
   * Writes the kernel's part of a snapshot at once. The kernel has stopped, all its records are
   * durable, and the sink accepts everything.
   */
  public void snapshotNow(SnapshotSink sink) {
    SnapshotPass pass = pass(sink);
    while (!pass.isOver()) {
      if (pass.work(Long.MAX_VALUE) == 0 && !pass.isOver()) {
        throw new IllegalStateException("expected a sink that accepts all, found a full one");
      }
    }
  }

  /**
   * Requests the departure of partitions, which the kernel carries out between its other work. Any
   * thread, which wakes the kernel afterwards; one departure at a time, and no snapshot meanwhile.
   */
  public void releasePartitions(PartitionRelease partitionRelease) {
    kernelPartitions.request(partitionRelease);
  }

  private PartitionDrain dropping(PartitionRelease partitionRelease) {
    return new PartitionDrain(
        partitionRelease, instances, router, memoryAccount, journal, instanceQueries, counters);
  }

  /** Forgets the data of partitions beside running instances. */
  private void forget(BitSet partitions) {
    finished.remove(partitions);
    keys.remove(partitions);
    ordered.free(partitions);
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
    kernelPartitions.exclude(partitions);
  }

  /** Begins a recovery from the journal. Call before the first duty cycle. */
  public Recovery recovery() {
    return new Recovery(this, limits, graphs, router, effects, memoryAccount, counters, null);
  }

  /**
   * Follows the records of another kernel, and passes all events to the observer. Instead of duty
   * cycles.
   */
  public Recovery shadow() {
    return new Recovery(this, limits, graphs, router, effects, memoryAccount, counters, space);
  }

  /** Forgets an instance, as if it had never existed here. */
  void forget(InstanceId id) {
    Instance instance = instances.remove(id.value());
    if (instance != null) {
      memoryAccount.closed(instance);
    }
  }

  /** Adds a running instance from a record of the journal. */
  Instance recovered(InstanceId id, ProcessGraph graph, Event.Started start, long epochMillis) {
    return instance(id, graph, start, epochMillis);
  }

  /** Adds a running instance that was read from its serialized state. */
  void recovered(Instance instance) {
    add(instance);
  }

  /** Adds a start key from the journal or a snapshot. */
  void recovered(StartKey key, InstanceId id, @Nullable DefinitionKey definition, long sinceNanos) {
    keys.add(key, id, definition, sinceNanos);
  }

  /** Adds an ended instance from a snapshot, or one that is left out. */
  void recovered(FinishedInstance instance) {
    reserveId(instance.view.id());
    finished.add(instance);
  }

  /** Removes an instance from the ended ones, because it runs again. */
  void reopen(InstanceId id) {
    finished.remove(id);
  }

  /**
   * Ids of the running instances. Ids only, so that the values of an instance that ends meanwhile
   * can be collected.
   */
  List<InstanceId> runningIds() {
    return instances.values().stream().map(instance -> instance.id).toList();
  }
}

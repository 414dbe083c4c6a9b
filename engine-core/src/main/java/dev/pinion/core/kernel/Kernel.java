package dev.pinion.core.kernel;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.OrderingKey;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.TaskObserver;
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
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Interval of checks for room off the heap while packed values stay on it. */
  private static final long COOL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final KernelReply MOVES = new KernelReply.Refused("partitions that move");

  private final int index;
  private final EngineLimits limits;
  private final GraphSource graphs;
  private final Durability defaultDurability;
  private final Journal journal;
  private final ValueSpace space;
  private final Lane<KernelMessage> requests;
  private final Lane<KernelEvent> completions;
  private final KernelCounters counters = new KernelCounters();
  private final DurableGate gate;
  private final Replies replies;
  private final EffectRouter router;
  private final AbstractServices services;
  private final EffectSwitch effects;
  private final Holdings holdings;
  private final Packing packing;
  private final Stepper stepper;
  private final Long2ObjectHashMap<Instance> instances = new Long2ObjectHashMap<>();
  private final EndedInstances ended;
  private final Results results;
  private final Queries queries;
  private final StartKeys keys;
  private final RepeatedStarts repeatedStarts;
  private final Revival revival;
  private final LateAnswers lateAnswers;
  private final OrderedStarts ordered;
  private final Moves moves = new Moves(this::dropping, this::forget, this::recovery);
  private final Deque<Instance> runnable = new ArrayDeque<>();
  private final Consumer<KernelMessage> onRequest = this::onRequest;
  private final Consumer<KernelEvent> onCompletion = this::onCompletion;
  private @Nullable InstanceId lastId;

  /** The first assigned id, as far as it is known. */
  private @Nullable InstanceId firstId;

  /** Whether instances that came from a journal and have not begun hold later starts. */
  private boolean knowsOrder;

  /** Running instances that are not journalled. */
  private int inMemory;

  private long nowNanos;
  private long timersHeldUntilNanos = Long.MIN_VALUE;
  private long nowEpochMillis;
  private volatile boolean frozen;
  private volatile @Nullable SnapshotSink snapshotWanted;
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
      TaskObserver observer,
      KernelOutlets outlets,
      ValueSpace space,
      long nowNanos) {
    this.index = index;
    this.nowNanos = nowNanos;
    this.space = space;
    this.limits = limits;
    this.graphs = graphs;
    this.defaultDurability = defaultDurability;
    this.journal = journal;
    this.gate = new DurableGate(journal);
    this.requests = new Lane<>("requests-" + index, limits.kernel().inboxCapacity());
    this.completions = new Lane<>("completions-" + index, limits.kernel().maxCompletions());
    this.replies = new Replies(outlets);
    this.services = new AbstractServices(bindings, this::recordBinding);
    this.router =
        new EffectRouter(
            index,
            limits.kernel(),
            services,
            observer,
            counters,
            outlets,
            gate,
            replies,
            new Owner(),
            space.heap(),
            nowNanos);
    this.effects = new EffectSwitch(router, observer.hearsAll() ? new Observation(observer) : null);
    this.holdings = new Holdings(Holdings.boundOf(limits), space, effects);
    this.packing = holdings.packing();
    this.stepper = new Stepper(limits, effects, holdings);
    this.ended = new EndedInstances(limits.kernel(), space.cold(), () -> this.nowNanos);
    this.results = new Results(space.heap(), limits.kernel().inboxCapacity());
    this.queries =
        new Queries(
            instances,
            ended,
            results,
            limits.instance().maxWaiters(),
            journal,
            gate,
            replies,
            this::isGiven);
    this.lateAnswers =
        new LateAnswers(index, limits.kernel().maxLateAnswers(), space.heap(), outlets, queries);
    this.keys =
        new StartKeys(
            limits.kernel().maxStartKeys(),
            TimeUnit.MINUTES.toNanos(limits.kernel().startKeyMinutes()));
    this.ordered = new OrderedStarts(limits.kernel().maxOrderedStarts());
    this.repeatedStarts =
        new RepeatedStarts(keys, instances, ended, limits.instance().maxWaiters(), queries);
    this.revival =
        new Revival(instances, ended, repeatedStarts, graphs, router, queries, new Reviving());
  }

  /** Lane of events and queries from the Request Handlers. */
  public Lane<KernelMessage> requests() {
    return requests;
  }

  /** Lane of the outcomes of calls and evaluations. */
  public Lane<KernelEvent> completions() {
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
    router.now(nowNanos);
    learnOrder();
    int work = replies.resend() + journal.flush() + gate.release() + router.grant();
    work += drain(completions, onCompletion);
    if (nowNanos >= timersHeldUntilNanos) {
      work += fireTimers(nowNanos);
    }
    if (replies.areAllSent()) {
      work += drain(requests, onRequest) + answerHeldUp(); // what waited in the lane is not counted
    }
    work += reportRefusals() + runTurns() + startOrdered();
    int moved = moves.work(nowNanos);
    knowsOrder &= moved == 0;
    work += moved;
    ended.cool();
    packing.cool();
    packing.makeRoom(0); // other kernels may have filled the heap while nothing happened here
    counters.unfinished(inMemory + router.calls().used() + router.evaluations().used());
    counters.startKeysFull(keys.isFull());
    counters.waitingStartBytes(ordered.heapBytes());
    counters.snapshotBytes(holdings.journalledBytes() + ended.journalledBytes());
    return work + copySlice();
  }

  @Override
  public boolean hasWork() {
    return !frozen && hasWorkToDo();
  }

  private boolean hasWorkToDo() {
    return !runnable.isEmpty()
        || !completions.isEmpty()
        || !requests.isEmpty()
        || router.hasRefusals()
        || gate.canRelease()
        || results.canPoll()
        || snapshotWanted != null
        || moves.hasWork()
        || ordered.hasWork()
        || (snapshotPass != null && snapshotPass.hasWork())
        || !replies.areAllSent();
  }

  @Override
  public long nextDeadlineNanos() {
    if (frozen) {
      return NO_DEADLINE;
    }
    long timers = Math.max(router.timers().nextDeadlineNanos(), timersHeldUntilNanos);
    if (packing.waitsForRoom()) { // starts may be refused meanwhile, so that no other event comes
      timers = Math.min(timers, nowNanos + COOL_NANOS);
    }
    boolean waits = router.waitsForRoom() || results.areAwaited();
    return waits ? Math.min(timers, nowNanos + LOOK_NANOS) : timers;
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
  Packing packing() {
    return packing;
  }

  /** Heap bytes charged to instances. Kernel thread only. */
  long heldBytes() {
    return holdings.heapBytes();
  }

  /** Values examined so far to charge instances anew. Kernel thread only. */
  long looksToCharge() {
    return holdings.looks();
  }

  /** Value of {@link #spent} up to which the kernel may do one kind of work now. */
  private long share() {
    return spent() + limits.expression().loopSteps();
  }

  private long spent() {
    return stepper.spent() + queries.spent();
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
      KernelQuery.GetInstance query = results.poll();
      if (query == null) {
        break;
      }
      onRequest(query); // like a new query: its partition may have moved
      answered++;
    }
    return answered;
  }

  /** Writes a part of a snapshot, if one is requested; returns the amount of work, 0 or 1. */
  private int copySlice() {
    SnapshotSink wanted = snapshotWanted;
    if (wanted != null) {
      snapshotWanted = null;
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
    return new SnapshotPass(sink, instances, packing, ended, keys, journal, this::givenIds);
  }

  private void onRequest(KernelMessage message) {
    switch (message) {
      case KernelEvent.Start start -> {
        space.heap().arrived(start.input());
        onStart(start);
      }
      case KernelEvent.Control control -> onControl(control);
      case KernelEvent.Retry retry when !moves.isAway(retry.id().partition()) ->
          revival.retry(retry, nowNanos);
      case KernelEvent.Retry retry -> replies.send(retry.replyTo(), MOVES);
      case KernelEvent.Rerun rerun when !moves.isAway(rerun.id().partition()) ->
          revival.rerun(rerun, nowNanos);
      case KernelEvent.Rerun rerun -> replies.send(rerun.replyTo(), MOVES);
      case KernelEvent.AnsweredLate late -> {
        space.heap().arrived(late.answer().bytes().length);
        onAnsweredLate(late);
      }
      case KernelQuery.GetInstance query when moves.isAway(query.id().partition()) ->
          replies.send(query.replyTo(), new KernelReply.Elsewhere());
      case KernelQuery.WatchInstance query when moves.isAway(query.id().partition()) ->
          replies.send(query.replyTo(), new KernelReply.Elsewhere());
      case KernelQuery query -> queries.answer(query);
      default ->
          throw new IllegalStateException(
              "expected a request, but " + role() + " was sent " + message);
    }
  }

  private void onAnsweredLate(KernelEvent.AnsweredLate late) {
    if (moves.isAway(late.id().partition())) {
      replies.send(late.replyTo(), new KernelReply.Elsewhere());
    } else {
      lateAnswers.onAnswer(late, instances.get(late.id().value()));
    }
  }

  private void onStart(KernelEvent.Start start) {
    if (isAnswered(start)) {
      return;
    }
    OrderingKey order = OrderingKey.of(start.definition(), start.tags());
    if (order != null && ordered.areBefore(order)) {
      waitInOrder(order, start);
    } else {
      begin(start, order);
    }
  }

  /** Answers a start whose partition has moved away, or that was made before. */
  private boolean isAnswered(KernelEvent.Start start) {
    if (moves.isAway(start.partition())) {
      counters.onRefused();
      answer(start, MOVES);
      return true;
    }
    StartKey key = start.key();
    return key != null
        && repeatedStarts.answer(
            new RepeatedStarts.Request(start.replyTo(), start.awaitEnd(), start.join()),
            key,
            nowNanos);
  }

  private void waitInOrder(OrderingKey order, KernelEvent.Start start) {
    boolean full = ordered.isFull();
    if (full || space.heap().refuses(ordered.heapBytes())) {
      counters.onRefused();
      String limit = full ? "kernel.maxOrderedStarts" : "kernel.maxHeldBytes";
      answer(start, new KernelReply.Refused(limit));
    } else {
      ordered.add(order, start);
    }
  }

  /** Begins starts whose predecessors have all begun. */
  private int startOrdered() {
    long share = share();
    int begun = 0;
    while (spent() < share) {
      KernelEvent.Start start = ordered.poll();
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
  private void learnOrder() {
    if (knowsOrder || moves.hasWork()) {
      return;
    }
    knowsOrder = true;
    for (Instance instance : instances.values()) {
      OrderingKey order = OrderingKey.of(instance.graph.key(), instance.tags);
      if (order != null && !instance.hasBegun()) {
        ordered.hold(order, instance);
      }
    }
  }

  private void begin(KernelEvent.Start start, @Nullable OrderingKey order) {
    StartKey key = start.key();
    ProcessGraph graph = graphs.graph(start.definition());
    if (graph == null) {
      answer(start, new KernelReply.UnknownDefinition(start.definition()));
      return;
    }
    KernelReply refusal = refusal(durability(graph), key);
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
      ordered.hold(order, instance);
    }
    runTurn(instance, true);
  }

  private void accepted(Instance instance, ReplyAddress replyTo, boolean awaitEnd) {
    router.reply(instance, replyTo, new KernelReply.Accepted(instance.id, instance.graph.key()));
    if (awaitEnd) {
      instance.waiters().add(replyTo);
    }
  }

  private Instance accept(KernelEvent.Start start, ProcessGraph graph) {
    InstanceId id = InstanceId.next(nowEpochMillis, start.partition(), lastId);
    Instance instance = instance(id, graph, start, nowEpochMillis);
    instance.eventNanos = nowNanos;
    record(instance, start.of(graph.fingerprint()));
    if (start.key() != null) {
      keys.add(start.key(), id, graph.key(), nowNanos);
    }
    return instance;
  }

  /** Adds a new running instance. */
  private Instance instance(
      InstanceId id, ProcessGraph graph, KernelEvent.Start start, long epochMillis) {
    Instance instance =
        new Instance(id, graph, start.input(), epochMillis, durability(graph), start.tags());
    add(instance);
    return instance;
  }

  private void add(Instance instance) {
    instances.put(instance.id.value(), instance);
    holdings.opened(instance);
    given(instance.id);
    counters.onStarted();
    inMemory += instance.durability.isJournalled() ? 0 : 1;
  }

  /** Reserves an id: no later instance gets it or a lower one. */
  void given(InstanceId id) {
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

  private void record(Instance instance, KernelEvent event) {
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
  private void recordBinding(Instance instance, KernelEvent.Bound bound) {
    if (instance.durability.isJournalled()) {
      instance.journalled =
          journal.append(
              new JournalRecord(
                  instance.id,
                  instance.events,
                  instance.eventNanos,
                  instance.nowEpochMillis,
                  instance.advances,
                  bound));
    }
  }

  private Durability durability(ProcessGraph graph) {
    return graph.durability() == null ? defaultDurability : graph.durability();
  }

  private @Nullable KernelReply refusal(Durability durability, @Nullable StartKey key) {
    if (key != null && !durability.isJournalled()) {
      return new KernelReply.NotJournalled();
    }
    if (key != null && keys.isFull()) {
      return new KernelReply.Refused("kernel.maxStartKeys");
    }
    if (instances.size() >= limits.kernel().maxInstances()) {
      return new KernelReply.Refused("kernel.maxInstances");
    }
    packing.makeRoom(0);
    if (space.heap().refuses(ordered.heapBytes())) {
      return new KernelReply.Refused("kernel.maxHeldBytes");
    }
    Journal.Refusal refusal = durability.isJournalled() ? journal.refusal() : null;
    return switch (refusal) {
      case null -> null;
      case BEHIND -> new KernelReply.Refused("journal.laneCapacity");
      case UNREAD -> new KernelReply.Refused("journal.unreadLogBytes");
      case DISK_FULL -> new KernelReply.DiskFull();
    };
  }

  private void answer(KernelEvent.Start start, KernelReply reply) {
    if (start.replyTo() != null) {
      replies.send(start.replyTo(), reply);
    }
  }

  private void onControl(KernelEvent.Control control) {
    Instance instance = instances.get(control.id().value());
    if (moves.isAway(control.id().partition())) {
      if (control.replyTo() != null) {
        replies.send(control.replyTo(), new KernelReply.Elsewhere());
      }
    } else if (instance != null && !isAsWanted(instance, control)) {
      submit(instance, control);
    } else if (control.replyTo() != null) {
      queries.send(control.replyTo(), unchanged(instance, control.id()));
    }
  }

  /**
   * Whether the instance is already in the wanted state: then this is no event and is not recorded.
   */
  private static boolean isAsWanted(Instance instance, KernelEvent.Control control) {
    return switch (control) {
      case KernelEvent.Cancel _ -> false;
      case KernelEvent.Suspend _ -> instance.suspended;
      case KernelEvent.Resume _ -> !instance.suspended;
    };
  }

  private KernelReply unchanged(@Nullable Instance instance, InstanceId id) {
    if (instance != null) {
      return new KernelReply.Controlled(instance.view());
    }
    EndedInstances.Kept kept = ended.find(id);
    return kept == null ? queries.missing(id) : new KernelReply.AlreadyEnded(kept.brief);
  }

  private void onCompletion(KernelEvent event) {
    switch (event) {
      case KernelEvent.InvocationDone done -> {
        router.callEnded(done);
        moves.reported(done);
        if (!(done.outcome() instanceof CallOutcome.Aborted)) {
          submit(done.id(), done);
        }
      }
      case KernelEvent.Evaluated evaluated -> {
        router.evaluationEnded(evaluated);
        submit(evaluated.id(), evaluated);
      }
      case KernelEvent.LateAnswerHeard heard ->
          lateAnswers.onHeard(heard, moves.isAway(heard.id().partition()));
      default ->
          throw new IllegalStateException(
              "expected a completion, but " + role() + " was sent " + event);
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
          new KernelEvent.TimerFired(instance.id, timer.activity.slot, timer.kind, timer.attempt));
      fired++;
    }
    return fired;
  }

  /** Reports calls that could not be made to their instances. */
  private int reportRefusals() {
    long share = share();
    int reported = 0;
    while (spent() < share) {
      KernelEvent.InvocationDone refusal = router.pollRefusal();
      if (refusal == null) {
        break;
      }
      submit(refusal.id(), refusal);
      reported++;
    }
    return reported;
  }

  private void submit(InstanceId id, KernelEvent event) {
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
  private void submit(Instance instance, KernelEvent event) {
    boolean wasIdle = instance.ready.isEmpty();
    instance.eventNanos = nowNanos;
    holdings.wake(instance);
    record(instance, event);
    if (!stepper.apply(instance, event, nowEpochMillis)) {
      counters.onStale();
    }
    if (instance.queued) {
      queries.changed(instance);
      holdings.rest(instance);
    } else {
      runTurn(instance, wasIdle);
    }
  }

  /**
   * Runs one turn of an instance; what is left waits for the next duty cycle.
   *
   * @param follows whether the turn follows an event that came when nothing was ready: then a
   *     replay knows that the turn takes place, and how far it goes unless it makes records itself
   */
  private void runTurn(Instance instance, boolean follows) {
    long before = instance.advances;
    long recorded = instance.journalled;
    holdings.wake(instance);
    if (stepper.turn(instance, limits.kernel().stepsPerTurn())) {
      instance.queued = true;
      runnable.add(instance);
    } else if (instance.advances != before
        && (!follows || (instance.hasEnded() && instance.journalled != recorded))) {
      record(instance, new KernelEvent.Advanced(instance.id));
    }
    if (instance.holdsOthers && instance.hasBegun()) {
      OrderingKey order = OrderingKey.of(instance.graph.key(), instance.tags);
      ordered.release(Objects.requireNonNull(order), instance);
    }
    queries.changed(instance);
    holdings.rest(instance);
  }

  private int runTurns() {
    long share = share();
    int queued = runnable.size();
    int turns = 0;
    while (turns < queued && spent() < share) {
      Instance instance = runnable.remove();
      instance.queued = false;
      if (!instance.hasLeft) {
        runTurn(instance, false);
      }
      turns++;
    }
    return turns;
  }

  private final class Owner implements EffectRouter.Owner {
    @Override
    public void onNoRoom(Instance instance, int check) {
      record(instance, new KernelEvent.FoundNoRoom(instance.id, check));
    }

    @Override
    public long releaseCall(Activity activity) {
      return holdings.releaseCall(activity);
    }

    @Override
    public void wake(Instance instance) {
      holdings.wake(instance);
    }

    @Override
    public void rest(Instance instance) {
      holdings.rest(instance);
    }

    @Override
    public void onEnded(Instance instance) {
      instances.remove(instance.id.value());
      inMemory -= instance.durability.isJournalled() ? 0 : 1;
      InstanceView view = instance.view();
      counters.onEnded(view.state());
      services.ended(instance, view);
      EndedInstance kept = new EndedInstance(view, instance.rawInput, instance.stateToRetry);
      if (instance.durability.isJournalled()) {
        ended.add(kept);
      } else {
        ended.addUnjournalled(kept);
      }
    }
  }

  private final class Reviving implements Revival.Kernel {
    @Override
    public @Nullable KernelReply refusal(ProcessGraph graph) {
      KernelReply refusal = Kernel.this.refusal(durability(graph), null);
      if (refusal != null) {
        counters.onRefused();
      }
      return refusal;
    }

    @Override
    public void takeUp(
        InstanceReader.Restored restored, KernelEvent.Retried event, KernelEvent.Retry wish) {
      Instance instance = restored.instance();
      add(instance);
      holdings.restored(instance, restored.heldBytes());
      record(instance, event);
      accepted(instance, wish.replyTo(), wish.awaitEnd());
      new Settlement(stepper, limits.expression().maxSteps()).settle(restored, revival.outside());
      stepper.apply(instance, event, nowEpochMillis);
      runTurn(instance, true);
    }

    @Override
    public void start(KernelEvent.Start start) {
      onStart(start);
    }
  }

  /**
   * Requests the kernel's part of a snapshot, which it writes between its other work. Any thread,
   * which wakes the kernel afterwards. Abandons its part of an earlier snapshot.
   */
  public void snapshot(SnapshotSink sink) {
    snapshotWanted = sink;
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
  public void depart(Departure departure) {
    moves.want(departure);
  }

  private Dropping dropping(Departure departure) {
    return new Dropping(departure, instances, router, holdings, journal, queries, counters);
  }

  /** Forgets the data of partitions beside running instances. */
  private void forget(BitSet partitions) {
    ended.remove(partitions);
    keys.remove(partitions);
    ordered.free(partitions);
  }

  /**
   * Requests the arrival of partitions, which the kernel carries out between its other work. Any
   * thread, which wakes the kernel afterwards; one arrival at a time, and no snapshot meanwhile.
   */
  public void arrive(Arrival arrival) {
    moves.want(arrival);
  }

  /** Carries out an {@link #arrive arrival} at once. Before the first duty cycle. */
  public void arriveNow(Arrival arrival, long atNanos) {
    moves.takeUpNow(arrival, atNanos);
  }

  /** Excludes partitions that another kernel holds. Before the first duty cycle. */
  public void withhold(BitSet partitions) {
    moves.withhold(partitions);
  }

  /** Begins a recovery from the journal. Call before the first duty cycle. */
  public Recovery recovery() {
    return new Recovery(this, limits, graphs, router, effects, holdings, counters, null);
  }

  /**
   * Follows the records of another kernel, and passes all events to the observer. Instead of duty
   * cycles.
   */
  public Recovery shadow() {
    return new Recovery(this, limits, graphs, router, effects, holdings, counters, space);
  }

  /** Forgets an instance, as if it had never existed here. */
  void forget(InstanceId id) {
    Instance instance = instances.remove(id.value());
    if (instance != null) {
      holdings.closed(instance);
    }
  }

  /** Adds a running instance from a record of the journal. */
  Instance recovered(InstanceId id, ProcessGraph graph, KernelEvent.Start start, long epochMillis) {
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
  void recovered(EndedInstance instance) {
    given(instance.view.id());
    ended.add(instance);
  }

  /** Removes an instance from the ended ones, because it runs again. */
  void isUnderWayAgain(InstanceId id) {
    ended.remove(id);
  }

  /**
   * Ids of the running instances. Ids only, so that the values of an instance that ends meanwhile
   * can be collected.
   */
  List<InstanceId> underWay() {
    return instances.values().stream().map(instance -> instance.id).toList();
  }
}

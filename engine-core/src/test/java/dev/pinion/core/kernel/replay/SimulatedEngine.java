package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.DeployedGraphs;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.kernel.PartitionAcquisition;
import dev.pinion.core.kernel.PartitionRelease;
import dev.pinion.core.kernel.PostedEvents;
import dev.pinion.core.kernel.SimulatedServices;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.replay.CrashPoints.Moment;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.schedule.ScheduleProgress;
import dev.pinion.oracle.Definition;
import dev.pinion.oracle.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One life of an engine that runs one instance: a real kernel with a clock that moves when there is
 * nothing else to do, a journal in memory, and scripted services. The order of possible events is
 * random.
 *
 * <pre>
 *   start, or base and records of earlier lives ──▶ SimulatedEngine ──▶ records, moments to crash at
 *                                                     │     ▲
 *                                            deliveries     answers, after some time
 *                                                     ▼     │
 *                                                SimulatedServices
 * </pre>
 */
public final class SimulatedEngine implements EffectLanes {
  public static final long FIRST_NANOS = 5_000_000_000L;

  /** Time that no process takes beyond its waits; what is ended lasts longer. */
  public static final long DAY_MILLIS = 86_400_000;

  private static final RecordCodec CODEC =
      new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));
  private static final int MOST_STEPS = 10_000;
  private static final int MOST_LATENCY_NANOS = 50_000_000;

  /** Time to a deadline that may be a look at the wall clock. */
  private static final long LEAST_LOOK_NANOS = 5_000_000_000L;

  private static final ReplyAddress<Reply.StartReply> CLIENT = new ReplyAddress<>(0, 1);

  private final Run run;
  private final OneRun definitions;
  private final SimulatedServices services;
  private final Random random;
  private final KernelMemory space;
  private final CrashPoints journal = new CrashPoints(this::now);
  private final List<Under> calls = new ArrayList<>();
  private final List<Effect.Evaluate> evaluations = new ArrayList<>();
  private final Map<Long, List<Reply>> replies = new HashMap<>();
  private final Kernel kernel;
  private final PostedEvents events;
  private long nowNanos;
  private long lastRequest = CLIENT.request();

  /**
   * Parameters of a run.
   *
   * @param limits the limits in force
   * @param graph the definition as the engine compiled it
   * @param graphs all that are deployed
   * @param definition the original definition
   */
  record Run(
      EngineLimits limits, ProcessGraph graph, DeployedGraphs graphs, Definition definition) {
    /** Partition of the instance; a schedule has that of its name. */
    private int partition() {
      return definition.isScheduled() ? DefinitionName.of(graph.key()).partition() : 0;
    }

    private BitSet partitions() {
      BitSet partitions = new BitSet();
      partitions.set(partition());
      return partitions;
    }
  }

  /** A call in progress, with its future answer. */
  private record Under(Effect.Invoke invoke, Script.Answer answer) {}

  /**
   * Remains of earlier lives.
   *
   * @param base a snapshot, or null
   * @param records behind it
   * @param openings indexes of records before which the journal was opened
   */
  record Remains(
      @Nullable TakenSnapshot base, List<JournalRecord> records, List<Integer> openings) {
    /** The remains after another life, which began by opening the journal. */
    Remains and(List<JournalRecord> fresh) {
      List<JournalRecord> all = new ArrayList<>(records);
      all.addAll(fresh);
      List<Integer> opened = new ArrayList<>(openings);
      if (base != null || !records.isEmpty()) {
        opened.add(records.size());
      }
      return new Remains(base, all, opened);
    }

    @Override
    public String toString() {
      return records.size()
          + " records, opened before "
          + openings
          + (base == null ? "" : ", behind a snapshot");
    }
  }

  private SimulatedEngine(
      Run run, SimulatedServices services, Random random, long nowNanos, boolean withdrawn) {
    this.run = run;
    this.definitions = new OneRun(run.graphs, withdrawn);
    this.services = services;
    this.random = random;
    this.nowNanos = nowNanos;
    this.space = KernelMemory.alone(run.limits, new MapColdStore());
    this.kernel =
        new Kernel(
            0,
            run.limits,
            new DefinitionSources(definitions, () -> BindingTable.EMPTY, Durability.SYNC),
            new KernelOutputs(journal, (id, pointer, name) -> {}, this),
            space,
            nowNanos);
    this.events = services.feed(run.limits, kernel);
    if (random.nextBoolean()) {
      journal.waitForForce();
    }
  }

  /** A first life, in which an instance is started, by a client unless a schedule does it. */
  static SimulatedEngine first(Run run, SimulatedServices services, Random random) {
    SimulatedEngine engine = new SimulatedEngine(run, services, random, FIRST_NANOS, false);
    Recovery recovery = Recovery.of(engine.kernel.state());
    recovery.onJournalOpened(run.limits);
    recovery.finish(FIRST_NANOS);
    if (!run.definition.isScheduled()) {
      Payload input = Payload.of(run.definition.input());
      engine.offer(new Command.Start(run.graph.key(), 0, input, CLIENT, true));
    }
    return engine;
  }

  /** A life in another replica, to which the partition of the instance moves. */
  static SimulatedEngine arrived(
      Run run, SimulatedServices services, Random random, Moment moment, TakenSnapshot state) {
    long nowNanos = moment.nowNanos();
    SimulatedEngine engine =
        new SimulatedEngine(run, services, random, nowNanos, moment.withdrawn());
    engine.kernel.exclude(run.partitions());
    boolean[] settled = new boolean[1];
    PartitionAcquisition.FailureListener failureListener =
        reason -> {
          throw new AssertionError(reason);
        };
    engine.kernel.acquirePartitions(
        new PartitionAcquisition(
            run.partitions(),
            state.entries,
            Recovery::of,
            () -> settled[0] = true,
            failureListener));
    while (!settled[0]) {
      engine.kernel.doWork(nowNanos, engine.epochMillis());
    }
    return engine;
  }

  /** The result of earlier lives, read by a kernel that does nothing else. */
  static TakenSnapshot read(Run run, long nowNanos, Remains remains) {
    SimulatedServices nobody = new SimulatedServices(run.definition);
    SimulatedEngine lent = new SimulatedEngine(run, nobody, new Random(0), nowNanos, true);
    Recovery recovery = lent.replay(remains);
    recovery.onJournalOpened(run.limits);
    recovery.finishShadow();
    TakenSnapshot state = TakenSnapshot.of(lent.kernel);
    assertEquals(0, nobody.count(), "calls of a kernel that only reads");
    return state;
  }

  private Recovery replay(Remains remains) {
    Recovery recovery = Recovery.of(kernel.state());
    recovery.onJournalOpened(run.limits);
    try {
      if (remains.base != null) {
        remains.base.restore(recovery, kernel);
      }
      for (int i = 0; i < remains.records.size(); i++) {
        if (remains.openings.contains(i)) {
          recovery.onJournalOpened(run.limits);
        }
        JournalRecord read = stored(remains.records.get(i));
        recovery.apply(read, read.nowNanos());
      }
    } catch (RecoveryException e) {
      throw new AssertionError(e);
    }
    return recovery;
  }

  /** Releases the instance; returns when none of its work is left and all is durable. */
  void depart() {
    boolean[] gone = new boolean[1];
    kernel.releasePartitions(new PartitionRelease(run.partitions(), () -> gone[0] = true));
    kernel.doWork(nowNanos, epochMillis());
    long recorded = journal.appended();
    while (!gone[0]) {
      if (kernel.doWork(nowNanos, epochMillis()) > 0) {
        continue;
      }
      if (!journal.isForced()) {
        journal.force();
      } else {
        report();
      }
    }
    while (!evaluations.isEmpty() || !calls.isEmpty()) {
      report();
      kernel.doWork(nowNanos, epochMillis());
    }
    assertEquals(recorded, journal.appended(), "records of departed instances");
    assertEquals(0, kernel.instances().size(), "running instances");
    assertNothingLeft();
    assertEquals(new Reply.NotOwner(), ask(new InstanceId((1 << 10) | run.partition())));
  }

  /** A later life. */
  static SimulatedEngine recovered(
      Run run, SimulatedServices services, Random random, Moment moment, Remains remains) {
    long nowNanos = moment.nowNanos();
    SimulatedEngine engine =
        new SimulatedEngine(run, services, random, nowNanos, moment.withdrawn());
    Recovery recovery = engine.replay(remains);
    recovery.onJournalOpened(run.limits);
    recovery.finish(nowNanos);
    return engine;
  }

  /** A record after a round trip through its form on disk. */
  private static JournalRecord stored(JournalRecord record) {
    try {
      RecordCodec.Encoded encoded = CODEC.encode(record);
      return CODEC.decode(encoded.kind(), encoded.payload());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The present moment, without the journal's part. */
  Moment now() {
    return new Moment(
        0,
        0,
        services.count(),
        services.saves(),
        hasToldTheEnd(),
        definitions.isWithdrawn(),
        nowNanos);
  }

  private boolean hasToldTheEnd() {
    return replies.getOrDefault(CLIENT.request(), List.of()).stream()
        .anyMatch(Reply.Ended.class::isInstance);
  }

  CrashPoints journal() {
    return journal;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** Whether no work is left. */
  boolean hasEnded() {
    return !mayBegin() && kernel.instances().size() == 0 && !kernel.hasWork();
  }

  /** Whether a schedule may begin an instance. */
  private boolean mayBegin() {
    return run.definition.isScheduled() && !definitions.isWithdrawn();
  }

  /** Whether the schedule has begun an instance that has ended, and all of that is durable. */
  private boolean hasRun() {
    List<InstanceId> running = kernel.instances().runningIds();
    if (running.size() != 1 || !journal.isForced()) {
      return false;
    }
    Instance keeper = kernel.instances().running(running.getFirst());
    return keeper != null && keeper.graph().scheduleTask() != null && runs(keeper) > 0;
  }

  private long runs(Instance keeper) {
    Long runs =
        kernel
            .memoryAccount()
            .packing()
            .readUnpacked(
                keeper,
                () -> {
                  ScheduleProgress progress = ScheduleTask.progressOf(keeper);
                  return progress == null ? 0L : progress.runs();
                });
    return runs;
  }

  /** Whether an instance is running. */
  boolean isRunning(InstanceId id) {
    return kernel.instances().running(id) != null;
  }

  /** Instances that are running. */
  List<InstanceId> runningIds() {
    return kernel.instances().runningIds();
  }

  /** A snapshot, of an engine that has everything on disk. */
  TakenSnapshot snapshot() {
    return TakenSnapshot.of(kernel);
  }

  /** Continues until the instance has ended and all work is done. */
  void runToEnd() {
    for (int i = 0; i < MOST_STEPS; i++) {
      boolean over = hasEnded() && calls.isEmpty() && evaluations.isEmpty();
      if (over && journal.isForced()) {
        journal.note();
        assertNothingLeft();
        return;
      }
      step();
    }
    throw new AssertionError("expected an end within " + MOST_STEPS + " steps, found none");
  }

  /** Makes one event happen. */
  void step() {
    if (mayBegin() && hasRun()) {
      definitions.withdraw();
    }
    if (kernel.doWork(nowNanos, epochMillis()) > 0) {
      return;
    }
    events.time(epochMillis());
    boolean mayFeed = random.nextInt(3) != 0;
    if (mayFeed && events.feed()) {
      return;
    }
    boolean canForce = !journal.isForced();
    boolean canReport = !calls.isEmpty() || !evaluations.isEmpty();
    boolean canSleep = kernel.nextDeadlineNanos() != Kernel.NO_DEADLINE;
    if (canForce && (random.nextInt(3) != 0 || !(canReport || canSleep))) {
      journal.force();
    } else if (canReport && (random.nextInt(3) != 0 || !canSleep)) {
      report();
    } else if (canSleep) {
      sleep(canReport || canForce || !mayFeed); // events do not wait for longer than that
    } else if (!events.feed() && kernel.doWork(nowNanos, epochMillis()) == 0) {
      throw new AssertionError("expected work in progress, found an engine at rest");
    }
  }

  /** Makes one event happen that is due without time passing; returns whether there was one. */
  boolean stepAwake() {
    if (kernel.doWork(nowNanos, epochMillis()) > 0) {
      return true;
    }
    if (!journal.isForced()) {
      journal.force();
    } else if (!calls.isEmpty() || !evaluations.isEmpty()) {
      report();
    } else {
      return false;
    }
    return true;
  }

  /** Suspends an instance, as a client does; nobody waits for the reply. */
  void suspend(InstanceId id) {
    offer(new Command.Suspend(id, null));
  }

  /** Resumes an instance. */
  void resume(InstanceId id) {
    offer(new Command.Resume(id, null));
  }

  /** Cancels an instance. */
  void cancel(InstanceId id) {
    offer(new Command.Cancel(id, null));
  }

  private long epochMillis() {
    return KernelHarness.FIRST_EPOCH_MILLIS + (nowNanos - FIRST_NANOS) / 1_000_000;
  }

  /** Lets time pass; no more than a response or a force takes while one is awaited. */
  private void sleep(boolean somethingIsAwaited) {
    long latest = somethingIsAwaited ? nowNanos + MOST_LATENCY_NANOS : Long.MAX_VALUE;
    nowNanos = Math.min(latest, Math.max(nowNanos, nextDeadlineNanos()));
  }

  /** The next deadline; looks at the wall clock, which nobody sets, are left out. */
  private long nextDeadlineNanos() {
    long next = kernel.nextDeadlineNanos();
    boolean looks = next - nowNanos >= LEAST_LOOK_NANOS && kernel.router().timers().size() > 0;
    return looks ? Math.max(next, kernel.router().timers().nextDeadlineNanos()) : next;
  }

  private void report() {
    int index = random.nextInt(calls.size() + evaluations.size());
    if (index < evaluations.size()) {
      complete(evaluated(evaluations.remove(index)));
      return;
    }
    nowNanos += random.nextInt(MOST_LATENCY_NANOS);
    calls.sort(
        Comparator.comparing((Under call) -> call.invoke.id())
            .thenComparingInt(call -> call.invoke.attempt())); // recovery has no order
    Under call = calls.remove(index - evaluations.size());
    Effect.Invoke invoke = call.invoke;
    complete(
        new Event.CallCompleted(
            invoke.id(), invoke.activity(), invoke.attempt(), outcome(call.answer)));
  }

  private void complete(Completion completion) {
    assertTrue(kernel.completions().offer(completion), "room for every completion");
  }

  private static CallOutcome outcome(Script.Answer answer) {
    if (answer.isOk()) {
      return new CallOutcome.Succeeded(Payload.of(answer.content()));
    }
    ErrorType type = ErrorType.COMMUNICATION;
    String detail = "answered " + answer.status();
    return new CallOutcome.Failed(
        new WorkflowError(type.uri(), answer.status(), type.title(), detail, null));
  }

  private Event.ExpressionEvaluated evaluated(Effect.Evaluate handed) {
    Object result = null;
    WorkflowError error = null;
    try {
      Budget budget = new Budget(run.limits.expression().maxSteps());
      result = handed.expression().evaluate(handed.input(), handed.scope(), budget);
    } catch (ExpressionException e) {
      error = e.error();
    }
    return new Event.ExpressionEvaluated(
        handed.id(), handed.activity(), handed.attempt(), result, error);
  }

  private void assertNothingLeft() {
    assertEquals(0, kernel.router().calls().used(), "permits for calls");
    assertEquals(0, kernel.router().evaluations().used(), "permits for evaluations");
    assertEquals(0, kernel.router().timers().size(), "timers");
    assertEquals(0, kernel.memoryAccount().heapBytes(), "held bytes");
    assertTrue(kernel.router().children().isEmpty(), "something on its way to or from children");
  }

  /** The kernel's view of an instance. */
  InstanceView view(InstanceId id) {
    return Objects.requireNonNull(KernelHarness.viewIn(ask(id)));
  }

  private Reply ask(InstanceId id) {
    offer(new Query.GetInstance(id, false, new ReplyAddress<>(0, ++lastRequest)));
    while (!replies.containsKey(lastRequest)) {
      step();
    }
    return replies.getOrDefault(lastRequest, List.of()).getFirst();
  }

  private void offer(KernelMessage message) {
    assertTrue(kernel.requests().offer(message), "room for a request");
  }

  @Override
  public boolean invoke(Effect.Invocation invocation) {
    if (invocation instanceof Effect.Invoke invoke && invoke.call() instanceof EventEmission) {
      Payload event = services.emit(invoke, nowNanos);
      calls.add(new Under(invoke, new Script.Answer(200, event.json())));
    } else if (invocation instanceof Effect.Invoke invoke) {
      Script.Answer answer = services.deliver(SimulatedServices.delivery(invoke, nowNanos));
      calls.add(new Under(invoke, answer));
    }
    return true; // an aborted call is reported too
  }

  @Override
  public boolean evaluate(Effect.Evaluate evaluation) {
    evaluations.add(evaluation);
    return true;
  }

  @Override
  public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
    space.heap().endTransfer(reply.carried());
    replies.computeIfAbsent(to.request(), request -> new ArrayList<>()).add(reply);
    return true;
  }
}

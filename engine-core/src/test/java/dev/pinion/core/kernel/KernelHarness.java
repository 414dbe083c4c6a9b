package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleEvents;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.Instance;
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
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.spi.InstanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Kernels driven by hand, with a clock that stands still until the test moves it and with the
 * outside simulated by the test.
 *
 * <pre>
 *   test ── start, cancel, ask ──▶ Kernel ──▶ calls, evaluations, aborts, replies ── seen by the test
 *     └──── answer, fail, evaluate, advance ────▶ Kernel
 * </pre>
 *
 * <p>After every test, remaining work is cancelled and reported, each instance's journal is
 * replayed and gives the same end, and nothing is left: no instance, call, evaluation, timer or
 * byte.
 */
public final class KernelHarness implements AfterEachCallback {
  private static final int MOST_CYCLES = 100_000;
  public static final long FIRST_EPOCH_MILLIS = 1_700_000_000_000L;

  /** Monotonic time at which kernels begin: the origin of their timers' ticks. */
  public static final long FIRST_NANOS = 5_000_000_000L;

  public final EngineLimits limits;
  final EffectLog log = new EffectLog();
  final List<String> entered = new ArrayList<>();
  public final List<HistoryEvent> happenings = new ArrayList<>();
  public final RecordingJournal journal = new RecordingJournal(this);

  public final HeapAccount heap;
  final RecordedEffects recordedEffects;
  public final List<Effect.Invoke> calls;
  public final List<Effect.Abort> aborts;
  final List<Effect.DeliverCallback> answers;
  public final List<Effect.Evaluate> evaluations;
  private final List<Kernel> kernels = new ArrayList<>();
  private final DeployedGraphs graphs = new DeployedGraphs();

  /** Reports to the monitors, in order. */
  final List<String> heard = new ArrayList<>();

  public final MapColdStore cold = new MapColdStore();

  /** Events that tests post. */
  public final PostedEvents events;

  private BindingTable bindings = BindingTable.EMPTY;
  private long nowNanos = FIRST_NANOS;
  private long epochMillis = FIRST_EPOCH_MILLIS;
  private long clockOffsetMillis;
  private long lastRequest;

  public KernelHarness() {
    this(Map.of());
  }

  public KernelHarness(Map<String, Integer> limits) {
    this(limits, 1);
  }

  public KernelHarness(Map<String, Integer> limits, int count) {
    this.limits = EngineLimits.defaults().with(limits);
    this.heap = new HeapAccount(this.limits.kernel().maxHeldBytes());
    this.recordedEffects = new RecordedEffects(log, heap);
    this.calls = recordedEffects.calls;
    this.aborts = recordedEffects.aborts;
    this.answers = recordedEffects.answers;
    this.evaluations = recordedEffects.evaluations;
    KernelMemory space = new KernelMemory(heap, cold);
    for (int i = 0; i < count; i++) {
      int index = i;
      kernels.add(
          new Kernel(
              i,
              this.limits,
              new DefinitionSources(
                  graphs,
                  bindingSource(),
                  Durability.SYNC,
                  partition -> partition % count == index),
              new KernelOutputs(journal, new Observer(), recordedEffects),
              space,
              nowNanos));
    }
    this.events = new PostedEvents(this.limits, kernels.toArray(new Kernel[0]));
    events.time(epochMillis);
  }

  public Kernel kernel() {
    return kernels.get(0);
  }

  public Kernel kernel(int index) {
    return kernels.get(index);
  }

  /** The kernel of an instance. */
  public Kernel kernelOf(InstanceId id) {
    return kernel(indexOf(id));
  }

  private int indexOf(InstanceId id) {
    return id.partition() % kernels.size();
  }

  /** The graph of instances of a definition, or of those that keep its schedule. */
  public ProcessGraph graph(DefinitionKey key) {
    DefinitionKey definition = ScheduleGraph.definitionOf(key);
    ProcessGraph graph =
        Objects.requireNonNull(graphs.knownOnce(definition == null ? key : definition));
    return definition == null ? graph : Objects.requireNonNull(graph.schedule());
  }

  /** All definitions that were deployed so far. */
  public DeployedGraphs graphs() {
    return graphs;
  }

  /** Deploys definitions, the newest of a name last. */
  public void deploy(ProcessGraph... deployed) {
    for (ProcessGraph graph : deployed) {
      graphs.put(graph);
    }
  }

  /** Changes the content of a definition. */
  public void change(ProcessGraph graph) {
    ProcessGraph changed =
        ProcessGraph.of(
            new ProcessGraph.DefinitionContent(
                graph.key(), graph.definition(), graph.fingerprint() + 1),
            graph.tasks(),
            graph.input(),
            graph.body(),
            graph.output(),
            graph.timeoutNanos(),
            graph.durability());
    ProcessGraph schedule = graph.schedule();
    Node.Schedule task = schedule == null ? null : schedule.scheduleTask();
    graphs.put(task == null ? changed : scheduled(changed, task));
  }

  private static ProcessGraph scheduled(ProcessGraph graph, Node.Schedule task) {
    Node.Listen listens = task.listens();
    return listens == null
        ? graph.scheduled(task.rule())
        : graph.scheduled(task.rule(), new ScheduleEvents(listens.to(), listens.read()));
  }

  /** Restores the content from before {@link #change}. */
  public void changeBack(ProcessGraph graph) {
    graphs.put(graph);
  }

  public long nowNanos() {
    return nowNanos;
  }

  public long epochMillis() {
    return epochMillis;
  }

  /** Sets the wall clock forward, or back. */
  public void setClock(Duration change) {
    clockOffsetMillis += change.toMillis();
    moveTo(nowNanos);
  }

  /** Lets no more instances of a definition start. */
  void disable(ProcessGraph graph) {
    graphs.disable(graph.key());
  }

  private BindingSource bindingSource() {
    return new BindingSource() {
      @Override
      public BindingTable current() {
        return bindings;
      }

      @Override
      public CallObserver observer() {
        return new CallObserver() {
          @Override
          public void begun(@Nullable String serviceClass) {
            heard.add("begun");
          }

          @Override
          public void invoked(String abstractService, @Nullable String serviceClass) {
            heard.add("invoked " + abstractService);
          }

          @Override
          public void called(
              String service, @Nullable String serviceClass, long nanos, boolean success) {}

          @Override
          public void ended(@Nullable String serviceClass, long millis, boolean success) {
            heard.add("ended " + success);
          }
        };
      }
    };
  }

  public void bind(Map<String, String> endpoints) {
    bind(BindingTable.of(bindings.version() + 1, endpoints));
  }

  public void bind(BindingTable table) {
    bindings = table;
  }

  /** Limits the number of further replies that find room. */
  void replyRoom(int room) {
    recordedEffects.replyRoom = room;
  }

  /** Starts an instance on kernel 0, waits for its end and runs it as far as possible. */
  public InstanceId start(ProcessGraph graph, Payload input) {
    long request = offerStart(0, graph, input, true);
    settle();
    return accepted(request);
  }

  public InstanceId start(ProcessGraph graph) {
    return start(graph, Payload.NULL);
  }

  /** Starts an instance and runs nothing; returns the number of the request. */
  public long offerStart(int kernel, ProcessGraph graph, Payload input, boolean awaitEnd) {
    graphs.put(graph);
    ReplyAddress<Reply.StartReply> to = new ReplyAddress<>(0, ++lastRequest);
    heap.beginTransfer(input);
    offer(kernel, new Command.Start(graph.key(), kernel, input, to, awaitEnd));
    return lastRequest;
  }

  /** Starts an instance under a key on kernel 0 and runs nothing; returns the request's number. */
  public long offerStart(ProcessGraph graph, StartKey key, boolean awaitEnd, boolean join) {
    graphs.put(graph);
    ReplyAddress<Reply.StartReply> to = newAddress();
    offer(0, new Command.Start(graph.key(), 0, Payload.NULL, to, awaitEnd, key, join));
    return lastRequest;
  }

  public long offerCancel(InstanceId id) {
    ReplyAddress<Reply.ControlReply> to = new ReplyAddress<>(0, ++lastRequest);
    offer(indexOf(id), new Command.Cancel(id, to));
    return lastRequest;
  }

  /** Suspends an instance, or resumes it when it is suspended. */
  public void offerSuspendOrResume(InstanceId id) {
    Instance instance = kernelOf(id).instances().running(id);
    boolean suspended = instance != null && instance.suspended();
    offer(
        indexOf(id),
        suspended ? new Command.Resume(id, newAddress()) : new Command.Suspend(id, newAddress()));
  }

  /** Retries an instance from the task that failed, if it can; runs nothing. */
  public long offerRetry(InstanceId id) {
    offer(indexOf(id), new Command.Retry(id, newAddress(), false));
    return lastRequest;
  }

  /** Retries any of the instances that ever were. */
  public void offerRetry(Random random) {
    List<JournalRecord> records = journal.entries();
    offerRetry(records.get(random.nextInt(records.size())).id());
  }

  public long offerGet(InstanceId id, boolean awaitEnd) {
    ReplyAddress<Reply.InstanceReply> to = new ReplyAddress<>(0, ++lastRequest);
    offer(indexOf(id), new Query.GetInstance(id, awaitEnd, to));
    return lastRequest;
  }

  public void offer(int kernel, KernelMessage message) {
    assertTrue(kernels.get(kernel).requests().offer(message), "room for a request");
  }

  public <R extends Reply> ReplyAddress<R> newAddress() {
    return new ReplyAddress<>(0, ++lastRequest);
  }

  public InstanceId accepted(long request) {
    return ((Reply.Accepted) replies(request).get(0)).id();
  }

  public List<Reply> replies(long request) {
    return recordedEffects.replies.getOrDefault(request, List.of());
  }

  /** The only reply to a request. */
  public Reply reply(long request) {
    assertEquals(1, replies(request).size(), () -> "replies: " + replies(request));
    return replies(request).get(0);
  }

  public Reply cancel(InstanceId id) {
    long request = offerCancel(id);
    settle();
    return reply(request);
  }

  /** Cancels an instance without compensation. */
  public Reply cancelAtOnce(InstanceId id) {
    ReplyAddress<Reply.ControlReply> to = new ReplyAddress<>(0, ++lastRequest);
    offer(indexOf(id), new Command.Cancel(id, to, false));
    settle();
    return reply(to.request());
  }

  public InstanceView view(InstanceId id) {
    return lookUp(id).orElseThrow(() -> new AssertionError("expected to know " + id));
  }

  /** The kernel's view of an instance; empty when the kernel has forgotten it. */
  Optional<InstanceView> lookUp(InstanceId id) {
    long request = offerGet(id, false);
    settle();
    return Optional.ofNullable(viewIn(reply(request)));
  }

  /**
   * The view in a reply about an instance, whether it has ended or not; null when there is none.
   */
  public static @Nullable InstanceView viewIn(Reply reply) {
    return switch (reply) {
      case Reply.InstanceFound found -> found.instance();
      case Reply.Ended ended -> ended.instance();
      default -> null;
    };
  }

  public InstanceState state(InstanceId id) {
    return view(id).state();
  }

  /** The output of a completed instance. */
  public Payload output(InstanceId id) {
    InstanceView view = view(id);
    assertEquals(InstanceState.COMPLETED, view.state(), () -> "error: " + view.error());
    return Objects.requireNonNull(view.output());
  }

  /** The error of a faulted instance. */
  public WorkflowError error(InstanceId id) {
    InstanceView view = view(id);
    assertEquals(InstanceState.FAULTED, view.state(), () -> "output: " + view.output());
    return Objects.requireNonNull(view.error());
  }

  public Payload run(ProcessGraph graph, Payload input) {
    return output(start(graph, input));
  }

  public Payload run(ProcessGraph graph) {
    return run(graph, Payload.NULL);
  }

  /** Runs one duty cycle of every kernel. */
  public int cycle() {
    int work = 0;
    for (Kernel kernel : kernels) {
      work += kernel.doWork(nowNanos, epochMillis);
      journal.effectsWaited(evaluationsWait(kernel) || kernel.router().calls().waiting() > 0);
    }
    return work;
  }

  /** Runs duty cycles until there is nothing to do. */
  public void settle() {
    for (int i = 0; i < MOST_CYCLES; i++) {
      if (cycle() == 0 && !events.feed()) {
        return;
      }
    }
    throw new AssertionError("expected kernels to come to rest, but they did not");
  }

  /** Lets time pass, stopping at every deadline on the way. */
  public void advance(Duration time) {
    long end = nowNanos + time.toNanos();
    settle();
    for (long next = nextDeadline(); next <= end; next = nextDeadline()) {
      moveTo(Math.max(next, nowNanos));
      settle();
    }
    moveTo(end);
    settle();
  }

  /** Lets time pass in one step. */
  public void jump(Duration time) {
    moveTo(nowNanos + time.toNanos());
  }

  private void moveTo(long nanos) {
    long epochNanos = nanos - FIRST_NANOS;
    nowNanos = nanos;
    epochMillis = FIRST_EPOCH_MILLIS + clockOffsetMillis + epochNanos / 1_000_000;
    events.time(epochMillis);
  }

  private long nextDeadline() {
    long next = Long.MAX_VALUE;
    for (Kernel kernel : kernels) {
      next = Math.min(next, kernel.nextDeadlineNanos());
    }
    return next;
  }

  private final class Observer implements InstanceObserver {
    @Override
    public void onTaskEntered(InstanceId id, String pointer, String name) {
      entered.add(name);
      log.entered(id, pointer);
    }

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      happenings.add(event);
    }
  }

  /** The call of a running task. */
  public Effect.Invoke call(String task) {
    return calls.stream()
        .filter(call -> HttpCalls.of(call).uri().endsWith("/" + task))
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected a call of " + task + ", found " + calls));
  }

  public void answer(String task, Payload output) {
    answer(call(task), output);
  }

  public void answer(Effect.Invoke call, Payload output) {
    report(call, new CallOutcome.Succeeded(output));
    settle();
  }

  public void fail(String task, int status) {
    fail(call(task), status);
  }

  void fail(Effect.Invoke call, int status) {
    report(call, new CallOutcome.Failed(communication(status)));
    settle();
  }

  public static WorkflowError communication(int status) {
    ErrorType type = ErrorType.COMMUNICATION;
    return new WorkflowError(type.uri(), status, type.title(), "answered " + status, null);
  }

  /** Reports the outcome of a call and runs nothing. */
  public void report(Effect.Invoke call, CallOutcome outcome) {
    calls.remove(call);
    if (outcome instanceof CallOutcome.Succeeded succeeded) {
      heap.beginTransfer(succeeded.output());
    }
    offerCompletion(
        call.kernel(),
        new Event.CallCompleted(call.id(), call.activity(), call.attempt(), outcome));
  }

  void offerCompletion(int kernel, Completion completion) {
    assertTrue(kernels.get(kernel).completions().offer(completion), "room for every completion");
  }

  /** Makes the oldest evaluation that was handed over, and reports it. */
  void evaluate() {
    evaluate(evaluations.get(0));
    settle();
  }

  /** Makes an evaluation that was handed over and reports it; runs nothing. */
  public void evaluate(Effect.Evaluate handed) {
    evaluations.remove(handed);
    offerCompletion(handed.kernel(), evaluated(handed));
  }

  private Event.ExpressionEvaluated evaluated(Effect.Evaluate handed) {
    try {
      Budget budget = new Budget(limits.expression().maxSteps());
      Object result = handed.expression().evaluate(handed.input(), handed.scope(), budget);
      return new Event.ExpressionEvaluated(
          handed.id(), handed.activity(), handed.attempt(), result, null);
    } catch (ExpressionException e) {
      return new Event.ExpressionEvaluated(
          handed.id(), handed.activity(), handed.attempt(), null, e.error());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    finish();
  }

  /** Ends and reports remaining work, and checks that nothing is left and all can be replayed. */
  public void finish() {
    recordedEffects.replyRoom = Integer.MAX_VALUE;
    graphs.withoutSchedules();
    settle();
    for (InstanceId id : journal.running()) {
      cancelAtOnce(id);
    }
    while (!calls.isEmpty()) {
      fail(calls.get(0), 503);
    }
    while (!evaluations.isEmpty()) {
      evaluate();
    }
    if (limits.events().keepMillis() > 0) { // until no event is kept any more
      jump(Duration.ofMillis(limits.events().keepMillis() + 1L));
      settle();
    }
    for (Kernel kernel : kernels) {
      assertNothingLeft(kernel);
    }
    assertFalse(heap.isFull(heap.bound() - 1), "bytes on their way or outside");
    journal.assertReplays();
  }

  /**
   * Whether evaluations wait for a permit or for room on the heap, which depends on what is under
   * way and not on the journal.
   */
  public static boolean evaluationsWait(Kernel kernel) {
    return kernel.router().evaluations().waiting() > 0;
  }

  private void assertNothingLeft(Kernel kernel) {
    assertEquals(0, kernel.instances().size(), "running instances");
    assertEquals(0, kernel.router().calls().used(), "permits for calls");
    assertEquals(0, kernel.router().calls().waiting(), "calls that wait for a permit");
    assertEquals(0, kernel.router().evaluations().used(), "permits for evaluations");
    assertEquals(0, kernel.router().timers().size(), "timers");
    assertEquals(0, kernel.memoryAccount().heapBytes(), "held bytes");
    assertEquals(0, kernel.memoryAccount().packing().packedInstances(), "packed instances");
    assertEquals(Long.MAX_VALUE, kernel.nextDeadlineNanos(), "deadline");
    assertFalse(kernel.hasWork(), "work");
    assertTrue(kernel.router().children().isEmpty(), "something under way to or from children");
    assertEquals(0, kernel.counters().running(), "running instances, by the counters");
  }
}

package dev.pinion.core.kernel;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.TaskObserver;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The stage that owns instances: takes events from its lanes, steps the instance concerned and
 * routes the effects.
 *
 * <pre>
 *   requests ────▶┌────────┐──▶ invoke (permits) ──▶ Invoker ──────┐
 *   timers ──────▶│ Kernel │──▶ evaluate (permits) ▶ evaluators ───┤
 *   completions ─▶└────────┘──▶ reply                              │
 *        ▲───────────────────────────────────────────────────────◀─┘
 * </pre>
 *
 * <p>The way out and back is a cycle; it cannot lock up because a call takes a permit on its way
 * out, the lane of completions holds a message for every permit, and starts, the only thing that
 * may be refused, are refused here, at admission.
 */
public final class Kernel implements Stage {
  private static final int MESSAGES_PER_CYCLE = 1_024;
  private static final int TIMERS_PER_CYCLE = 1_024;

  private final int index;
  private final EngineLimits limits;
  private final GraphSource graphs;
  private final Journal journal;
  private final TaskObserver observer;
  private final KernelOutlets outlets;
  private final Lane<KernelMessage> requests;
  private final Lane<KernelEvent> completions;
  private final KernelCounters counters = new KernelCounters();
  private final Stepper stepper;
  private final TimerWheel timers;
  private final Permits<PendingCall> calls;
  private final Permits<PendingEvaluation> evaluations;
  private final Long2ObjectHashMap<Instance> instances = new Long2ObjectHashMap<>();
  private final EndedInstances ended;
  private final Deque<Instance> runnable = new ArrayDeque<>();
  private final Deque<PendingReply> unsentReplies = new ArrayDeque<>();
  private final Consumer<KernelMessage> onRequest = this::onRequest;
  private final Consumer<KernelEvent> onCompletion = this::onCompletion;
  private @Nullable InstanceId lastId;
  private long nowNanos;
  private long nowEpochMillis;

  private record PendingCall(Activity activity, int attempt, HttpCall call) {}

  private record PendingEvaluation(
      Activity activity, int attempt, Expression<?> expression, Payload input) {}

  private record PendingReply(ReplyAddress to, KernelReply reply) {}

  /**
   * A kernel.
   *
   * @param index its number among the kernels, by which effects name it
   * @param limits the bounds in force
   * @param graphs compiled definitions
   * @param bindings concrete services for abstract ones
   * @param journal where events are recorded
   * @param observer hears of tasks
   * @param outlets where effects go
   * @param nowNanos monotonic time at which the kernel begins
   */
  public Kernel(
      int index,
      EngineLimits limits,
      GraphSource graphs,
      BindingSource bindings,
      Journal journal,
      TaskObserver observer,
      KernelOutlets outlets,
      long nowNanos) {
    this.index = index;
    this.limits = limits;
    this.graphs = graphs;
    this.journal = journal;
    this.observer = observer;
    this.outlets = outlets;
    this.requests = new Lane<>("requests-" + index, limits.kernel().inboxCapacity());
    this.completions = new Lane<>("completions-" + index, limits.kernel().maxCompletions());
    this.stepper = new Stepper(limits, bindings, new Effects());
    this.timers = new TimerWheel(nowNanos);
    this.calls = new Permits<>(limits.kernel().maxCalls(), this::send);
    this.evaluations = new Permits<>(limits.kernel().maxEvaluations(), this::send);
    this.ended = new EndedInstances(limits.kernel().maxEnded(), limits.kernel().maxEndedBytes());
  }

  /** Events and questions from the Request Handlers. */
  public Lane<KernelMessage> requests() {
    return requests;
  }

  /** Outcomes of calls and evaluations. */
  public Lane<KernelEvent> completions() {
    return completions;
  }

  /** What the kernel has done so far. */
  public KernelCounters counters() {
    return counters;
  }

  @Override
  public String role() {
    return "kernel-" + index;
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    this.nowNanos = nowNanos;
    this.nowEpochMillis = epochMillis;
    int work = resendReplies();
    work += completions.drain(onCompletion, MESSAGES_PER_CYCLE);
    work += fireTimers();
    if (unsentReplies.isEmpty()) {
      work += requests.drain(onRequest, MESSAGES_PER_CYCLE);
    }
    return work + runTurns();
  }

  @Override
  public boolean hasWork() {
    return !runnable.isEmpty()
        || !completions.isEmpty()
        || !requests.isEmpty()
        || !unsentReplies.isEmpty();
  }

  @Override
  public long nextDeadlineNanos() {
    return timers.nextDeadlineNanos();
  }

  /** Instances under way. Kernel thread only. */
  int running() {
    return instances.size();
  }

  /** Calls under way. Kernel thread only. */
  int callsUnderWay() {
    return calls.used();
  }

  /** Timers set. Kernel thread only. */
  int timersSet() {
    return timers.size();
  }

  /** Bytes that instances are charged for. Kernel thread only. */
  long heldBytes() {
    return stepper.heldBytes();
  }

  private void onRequest(KernelMessage message) {
    switch (message) {
      case KernelEvent.Start start -> onStart(start);
      case KernelEvent.Cancel cancel -> onCancel(cancel);
      case KernelQuery.GetInstance query -> onGet(query);
      case KernelQuery.ListInstances query ->
          reply(
              query.replyTo(),
              new KernelReply.Page(Queries.newest(query, instances.values(), ended)));
      default ->
          throw new IllegalStateException(
              "expected a request, but " + role() + " was sent " + message);
    }
  }

  private void onStart(KernelEvent.Start start) {
    ProcessGraph graph = graphs.graph(start.definition());
    if (graph == null) {
      answer(start, new KernelReply.UnknownDefinition(start.definition()));
      return;
    }
    String full = fullLimit();
    if (full != null) {
      counters.onRefused();
      answer(start, new KernelReply.Refused(full));
      return;
    }
    InstanceId id = InstanceId.next(nowEpochMillis, start.partition(), lastId);
    lastId = id;
    journal.append(id, nowEpochMillis, start);
    Instance instance = new Instance(id, graph, start.input(), nowEpochMillis);
    instances.put(id.value(), instance);
    counters.onStarted();
    answer(start, new KernelReply.Accepted(id));
    if (start.awaitEnd() && start.replyTo() != null) {
      instance.waiters().add(start.replyTo());
    }
    stepper.start(instance);
    runTurn(instance);
  }

  private @Nullable String fullLimit() {
    if (instances.size() >= limits.kernel().maxInstances()) {
      return "kernel.maxInstances";
    }
    return stepper.heldBytes() >= limits.kernel().maxHeldBytes() ? "kernel.maxHeldBytes" : null;
  }

  private void answer(KernelEvent.Start start, KernelReply reply) {
    if (start.replyTo() != null) {
      reply(start.replyTo(), reply);
    }
  }

  private void onCancel(KernelEvent.Cancel cancel) {
    Instance instance = instances.get(cancel.id().value());
    if (instance != null) {
      submit(instance, cancel);
      return;
    }
    answerEnded(cancel);
  }

  private void answerEnded(KernelEvent.Cancel cancel) {
    InstanceView view = ended.find(cancel.id());
    reply(
        cancel.replyTo(),
        view == null ? new KernelReply.NotFound() : new KernelReply.AlreadyEnded(view));
  }

  private void onGet(KernelQuery.GetInstance query) {
    Instance instance = instances.get(query.id().value());
    if (instance == null) {
      InstanceView view = ended.find(query.id());
      reply(query.replyTo(), view == null ? new KernelReply.NotFound() : found(query, view));
    } else if (query.awaitEnd() && instance.waiters().size() < limits.instance().maxWaiters()) {
      instance.waiters().add(query.replyTo());
    } else {
      reply(query.replyTo(), new KernelReply.Found(instance.view()));
    }
  }

  private static KernelReply found(KernelQuery.GetInstance query, InstanceView view) {
    return query.awaitEnd() ? new KernelReply.Ended(view) : new KernelReply.Found(view);
  }

  private void onCompletion(KernelEvent event) {
    InstanceId id;
    switch (event) {
      case KernelEvent.InvocationDone done -> {
        calls.release(Kernel::isWanted);
        id = done.id();
      }
      case KernelEvent.Evaluated evaluated -> {
        evaluations.release(Kernel::isWanted);
        id = evaluated.id();
      }
      default ->
          throw new IllegalStateException(
              "expected a completion, but " + role() + " was sent " + event);
    }
    Instance instance = instances.get(id.value());
    if (instance == null) {
      counters.onStale();
    } else {
      submit(instance, event);
    }
  }

  private int fireTimers() {
    int fired = 0;
    while (fired < TIMERS_PER_CYCLE) {
      TimerWheel.Timer timer = timers.pollDue(nowNanos);
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

  /** Gives an event to an instance: at once, or after the events before it. */
  private void submit(Instance instance, KernelEvent event) {
    if (!instance.ready.isEmpty() || !instance.deferred.isEmpty()) {
      instance.deferred.add(event);
      return;
    }
    apply(instance, event);
    runTurn(instance);
  }

  private void apply(Instance instance, KernelEvent event) {
    if (instance.hasEnded()) {
      onTooLate(event);
      return;
    }
    journal.append(instance.id, nowEpochMillis, event);
    if (!stepper.apply(instance, event, nowEpochMillis)) {
      counters.onStale();
    }
  }

  private void onTooLate(KernelEvent event) {
    if (event instanceof KernelEvent.Cancel cancel) {
      answerEnded(cancel);
    } else {
      counters.onStale();
    }
  }

  /** Runs one turn of an instance; what is left waits for the next duty cycle. */
  private void runTurn(Instance instance) {
    boolean more = stepper.turn(instance);
    while (!more && !instance.deferred.isEmpty()) {
      apply(instance, instance.deferred.remove());
      more = stepper.turn(instance);
    }
    if (more && !instance.queued) {
      instance.queued = true;
      runnable.add(instance);
    }
  }

  private int runTurns() {
    int turns = runnable.size();
    for (int i = 0; i < turns; i++) {
      Instance instance = runnable.remove();
      instance.queued = false;
      runTurn(instance);
    }
    return turns;
  }

  private void send(PendingCall pending) {
    Activity activity = pending.activity;
    activity.calling = true;
    Effect.Invoke invoke =
        new Effect.Invoke(
            index, activity.instance.id, activity.slot, pending.attempt, pending.call);
    expectRoom(outlets.invoke(invoke), "call");
  }

  private void send(PendingEvaluation pending) {
    Activity activity = pending.activity;
    Effect.Evaluate evaluate =
        new Effect.Evaluate(
            index,
            activity.instance.id,
            activity.slot,
            pending.attempt,
            pending.expression,
            pending.input,
            activity);
    expectRoom(outlets.evaluate(evaluate), "evaluation");
  }

  private static boolean isWanted(PendingCall pending) {
    return pending.activity.awaiting == pending.attempt;
  }

  private static boolean isWanted(PendingEvaluation pending) {
    return pending.activity.awaiting == pending.attempt;
  }

  private void expectRoom(boolean taken, String what) {
    if (!taken) {
      throw new IllegalStateException(
          "expected room for every "
              + what
              + " that has a permit, but the lane out of "
              + role()
              + " is full");
    }
  }

  private void reply(ReplyAddress to, KernelReply reply) {
    if (!unsentReplies.isEmpty() || !outlets.reply(to, reply)) {
      unsentReplies.add(new PendingReply(to, reply));
    }
  }

  private int resendReplies() {
    int sent = 0;
    for (PendingReply next = unsentReplies.peek(); next != null; next = unsentReplies.peek()) {
      if (!outlets.reply(next.to, next.reply)) {
        break;
      }
      unsentReplies.remove();
      sent++;
    }
    return sent;
  }

  /** Routes the effects of steps. */
  private final class Effects implements EffectSink {
    @Override
    public void entered(Activity activity) {
      observer.entered(
          activity.instance.id, activity.node.common().pointer(), activity.node.common().name());
    }

    @Override
    public void invoke(Activity activity, int attempt, HttpCall call) {
      calls.request(new PendingCall(activity, attempt, call));
    }

    @Override
    public void abort(Activity activity, int attempt) {
      expectRoom(
          outlets.invoke(new Effect.Abort(activity.instance.id, activity.slot, attempt)), "abort");
    }

    @Override
    public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
      counters.onHandedOver();
      evaluations.request(new PendingEvaluation(activity, attempt, expression, input));
    }

    @Override
    public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
      TimerWheel.Timer timer = new TimerWheel.Timer(activity, kind, attempt);
      timers.start(timer, nowNanos + delayNanos);
      activity.timer(kind, timer);
    }

    @Override
    public void cancelTimer(Activity activity, int kind) {
      TimerWheel.Timer timer = activity.timer(kind);
      if (timer != null) {
        timers.cancel(timer);
        activity.timer(kind, null);
      }
    }

    @Override
    public void reply(ReplyAddress to, KernelReply reply) {
      Kernel.this.reply(to, reply);
    }

    @Override
    public void ended(Instance instance) {
      instances.remove(instance.id.value());
      InstanceView view = instance.view();
      counters.onEnded(view.state());
      ended.add(view);
    }
  }
}

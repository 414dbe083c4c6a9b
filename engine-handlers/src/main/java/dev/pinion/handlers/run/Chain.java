package dev.pinion.handlers.run;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HandlerLimits;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A chain in force: a plan, the messages that wait for it and those under way. For use by any
 * thread.
 *
 * <p>When it is closed, messages that have entered continue by the same plan; after the last of
 * them the handlers are closed.
 */
public final class Chain implements MessageGateway, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chain.class);

  private static final int MAX_PER_WORKER = 4;

  /** Initial size of adaptive windows, regardless of the number of workers. */
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private final ChainPlan plan;
  private final Workers workers;
  private final VerdictCheck check;
  private final AdmissionQueue admissionQueue;
  private final OnewayQueue oneway;
  private final boolean cheap;
  private final List<Step> steps;
  private final List<StepCounters> counters;
  private final List<StageScheduler> layouts;
  private final Map<String, Integer> places = new HashMap<>();

  private final LongAdder entered = new LongAdder();
  private final LongAdder overloaded = new LongAdder();

  // Above 0 while a thread hands messages to workers: that thread also handles those that arrive.
  private final AtomicInteger starting = new AtomicInteger();

  // Messages and notices under way, and one for the holder of the chain; at 0 handlers are closed.
  private final AtomicInteger holders = new AtomicInteger(1);

  private volatile boolean closed;

  /** Puts a plan into force. */
  public Chain(ChainPlan plan, Workers workers, EngineLimits limits) {
    this.plan = plan;
    this.workers = workers;
    this.check = new VerdictCheck(limits);
    this.steps = plan.steps();
    this.counters = steps.stream().map(step -> new StepCounters()).toList();
    for (int i = 0; i < steps.size(); i++) {
      places.put(steps.get(i).name(), i);
    }
    this.cheap = plan.isCheap();
    this.admissionQueue =
        new AdmissionQueue(window(limits.handlers()), limits.handlers(), plan.options().priority());
    this.oneway = new OnewayQueue(this, limits.handlers());
    this.layouts = StageScheduler.of(this);
  }

  private ConcurrencyWindow window(HandlerLimits limits) {
    return switch (plan.options().window()) {
      case ChainOptions.ADAPTIVE -> adaptive(limits.maxWindow());
      case ChainOptions.CPUS ->
          ConcurrencyWindow.fixed(Math.min(workers.count(), limits.maxWindow()));
      default -> ConcurrencyWindow.fixed(Math.min(plan.options().window(), limits.maxWindow()));
    };
  }

  /** Beyond a multiple of the CPUs, more messages have never made pure computing faster. */
  private AdaptiveWindow adaptive(int most) {
    boolean waits = steps.stream().anyMatch(step -> step.declaration().work() == Work.IO);
    int cpus = Math.min(workers.count(), CPUS);
    return waits
        ? AdaptiveWindow.ofWaiting(cpus, most)
        : AdaptiveWindow.ofComputing(cpus, Math.min(most, MAX_PER_WORKER * workers.count()));
  }

  @Override
  public <C> void enter(Message message, C context, Completion<? super C> completion) {
    enterOr(
        message,
        context,
        completion,
        () -> leaveUnhandled(context, completion, new Outcome.Overloaded("closed", 1)));
  }

  /** Like {@link #enter}, with another action when the chain is closed. */
  public <C> void enterOr(
      Message message, C context, Completion<? super C> completion, Runnable whenClosed) {
    if (closed || !retain()) {
      whenClosed.run();
      return;
    }
    MessageRun<C> run = new MessageRun<>(this, message, context, completion);
    if (cheap) {
      entered.increment();
      run.run(); // no permit: it is over before this returns
      return;
    }
    Outcome refused = admissionQueue.offer(run);
    if (refused == null) {
      entered.increment();
    } else {
      overloaded.increment();
      leaveUnhandled(context, completion, refused);
      release();
    }
    startWaiting(workers::execute);
  }

  /**
   * Hands messages to workers for as long as the window allows, in the order in which they left the
   * queue: by one thread at a time, which also handles messages that arrive meanwhile.
   */
  private void startWaiting(Consumer<Runnable> handOver) {
    int missed = starting.getAndIncrement() == 0 ? 1 : 0;
    while (missed > 0) {
      for (MessageRun<?> next = admissionQueue.next(workers.nanoTime());
          next != null;
          next = admissionQueue.next(workers.nanoTime())) {
        handOver.accept(next);
      }
      missed = starting.addAndGet(-missed);
    }
  }

  /** Ends a message. */
  <C> void complete(
      MessageRun<?> run, C context, Completion<? super C> completion, Outcome outcome) {
    leaveUnhandled(context, completion, outcome);
    if (!cheap) {
      admissionQueue.release(run, workers.nanoTime());
      startWaiting(workers::executeNext); // the last action of this worker for the message
    }
    release();
  }

  private static <C> void leaveUnhandled(
      C context, Completion<? super C> completion, Outcome outcome) {
    try {
      completion.complete(context, outcome);
    } catch (Throwable e) { // the permit must be returned nevertheless
      LOG.error("the receiver of a handled message failed", e);
    }
  }

  /** A call returned after its time-out: its effect is undone, on its own thread. */
  void late(HandlerCall handlerCall) {
    StepCounters own = counters(indexOf(handlerCall.step()));
    own.late.increment();
    if (handlerCall.kind() != HandlerCall.CallKind.HANDLE) {
      return;
    }
    try {
      Step partner = partnerOf(handlerCall.step());
      if (partner != null) {
        ((CommitPoint) partner.handler()).rollBack(view(handlerCall.message(), partner));
        own.undone.increment();
      } else if (handlerCall.step().declaration().effect() == EffectClass.QUASI_ATOMIC) {
        ((Undoable) handlerCall.step().handler()).undo(handlerCall.view());
        own.undone.increment();
      }
    } catch (Throwable e) { // a handler that is late and fails
      own.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
    }
  }

  /** A call returned after its time-out and after its handler was closed: its effect stays. */
  void lateForNothing(HandlerCall handlerCall) {
    StepCounters own = counters(indexOf(handlerCall.step()));
    own.late.increment();
    if (handlerCall.kind() == HandlerCall.CallKind.HANDLE && mayBeTakenBack(handlerCall.step())) {
      own.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
    }
  }

  private boolean mayBeTakenBack(Step step) {
    return partnerOf(step) != null || step.declaration().effect() == EffectClass.QUASI_ATOMIC;
  }

  void enqueueOneway(Step step, Message message) {
    oneway.offer(step, message);
  }

  /** Keeps the handlers from being closed; returns false when they are. */
  boolean retain() {
    int now = holders.get();
    while (now > 0) {
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holders.get();
    }
    return false;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      for (Step step : steps) {
        try {
          step.handler().close();
        } catch (Throwable e) { // the others are closed nevertheless
          LOG.warn("the handler \"{}\" could not be closed", step, e);
        }
      }
    }
  }

  /** Admits no further message. Called once. */
  @Override
  public void close() {
    closed = true;
    release();
  }

  /** The plan in force. */
  public ChainPlan plan() {
    return plan;
  }

  /** Number of messages under way. */
  public int inFlight() {
    return admissionQueue.inFlight();
  }

  /** Number of messages that wait. */
  public int queued() {
    return admissionQueue.queued();
  }

  /** Number of messages admitted so far. */
  public long entered() {
    return entered.sum();
  }

  /** Number of messages refused so far for lack of room. */
  public long overloaded() {
    return overloaded.sum();
  }

  /** Number of messages that wait for oneway handlers. */
  public int oneway() {
    return oneway.queued();
  }

  /** The most messages that may be under way now. */
  public int windowSize() {
    return admissionQueue.limit();
  }

  /** Statistics of each step, in their order. */
  public List<StepStatistics> statistics() {
    return steps.stream().map(step -> counters(indexOf(step)).statistics(step.name())).toList();
  }

  /** Number of workers for a single message in each stage now. */
  public List<Integer> workersOfStages() {
    return layouts.stream()
        .map(stageScheduler -> Math.max(1, stageScheduler.batches(1).length))
        .toList();
  }

  /** Positions of the steps of a stage, by worker. */
  int[][] bins(int stage) {
    return layouts.get(stage).batches(admissionQueue.inFlight());
  }

  Workers workers() {
    return workers;
  }

  VerdictCheck check() {
    return check;
  }

  StepCounters counters(int place) {
    return counters.get(place);
  }

  int indexOf(Step step) {
    return Objects.requireNonNull(places.get(step.name()));
  }

  View view(Message message, Step step) {
    return new View(message, step.declaration(), check.codec());
  }

  /** The step that commits the effect of another one, or null. */
  @Nullable Step partnerOf(Step step) {
    Integer place = step.partner() == null ? null : places.get(step.partner());
    return place == null ? null : steps.get(place);
  }
}

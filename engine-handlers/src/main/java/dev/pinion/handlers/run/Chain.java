package dev.pinion.handlers.run;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.plan.Terms;
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
public final class Chain implements Gateway, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chain.class);

  private static final int MAX_PER_WORKER = 4;

  /** Initial size of adaptive windows, regardless of the number of workers. */
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private final ChainPlan plan;
  private final Workers workers;
  private final VerdictCheck check;
  private final Intake intake;
  private final OnewayLine oneway;
  private final boolean cheap;
  private final List<Step> steps;
  private final List<StepCounters> counters;
  private final List<Layout> layouts;
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
    this.intake = new Intake(window(limits.handlers()), limits.handlers(), plan.terms().priority());
    this.oneway = new OnewayLine(this, limits.handlers());
    this.layouts = Layout.of(this);
  }

  private Window window(EngineLimits.Handlers limits) {
    return switch (plan.terms().window()) {
      case Terms.ADAPTIVE -> adaptive(limits.maxWindow());
      case Terms.CPUS -> Window.fixed(Math.min(workers.count(), limits.maxWindow()));
      default -> Window.fixed(Math.min(plan.terms().window(), limits.maxWindow()));
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
  public <C> void enter(Message message, C context, Exit<? super C> exit) {
    enterOr(
        message,
        context,
        exit,
        () -> leaveUnhandled(context, exit, new Outcome.Overloaded("closed", 1)));
  }

  /** Like {@link #enter}, with another action when the chain is closed. */
  public <C> void enterOr(Message message, C context, Exit<? super C> exit, Runnable whenClosed) {
    if (closed || !hold()) {
      whenClosed.run();
      return;
    }
    MessageRun<C> run = new MessageRun<>(this, message, context, exit);
    if (cheap) {
      entered.increment();
      run.run(); // no permit: it is over before this returns
      return;
    }
    Outcome refused = intake.offer(run);
    if (refused == null) {
      entered.increment();
    } else {
      overloaded.increment();
      leaveUnhandled(context, exit, refused);
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
      for (MessageRun<?> next = intake.next(workers.nanoTime());
          next != null;
          next = intake.next(workers.nanoTime())) {
        handOver.accept(next);
      }
      missed = starting.addAndGet(-missed);
    }
  }

  /** Ends a message. */
  <C> void leave(MessageRun<?> run, C context, Exit<? super C> exit, Outcome outcome) {
    leaveUnhandled(context, exit, outcome);
    if (!cheap) {
      intake.release(run, workers.nanoTime());
      startWaiting(workers::executeNext); // the last action of this worker for the message
    }
    release();
  }

  private static <C> void leaveUnhandled(C context, Exit<? super C> exit, Outcome outcome) {
    try {
      exit.leave(context, outcome);
    } catch (Throwable e) { // the permit must be returned nevertheless
      LOG.error("the receiver of a handled message failed", e);
    }
  }

  /** A call returned after its time-out: its effect is undone, on its own thread. */
  void late(Call call) {
    StepCounters own = counters(place(call.step()));
    own.late.increment();
    if (call.kind() != Call.Kind.HANDLE) {
      return;
    }
    try {
      Step partner = partnerOf(call.step());
      if (partner != null) {
        ((CommitPoint) partner.handler()).rollBack(view(call.message(), partner));
        own.undone.increment();
      } else if (call.step().declaration().effect() == EffectClass.QUASI_ATOMIC) {
        ((Undoable) call.step().handler()).undo(call.view());
        own.undone.increment();
      }
    } catch (Throwable e) { // a handler that is late and fails
      own.undoFailures.increment();
      Failures.logUndo(call);
    }
  }

  /** A call returned after its time-out and after its handler was closed: its effect stays. */
  void lateForNothing(Call call) {
    StepCounters own = counters(place(call.step()));
    own.late.increment();
    if (call.kind() == Call.Kind.HANDLE && mayBeTakenBack(call.step())) {
      own.undoFailures.increment();
      Failures.logUndo(call);
    }
  }

  private boolean mayBeTakenBack(Step step) {
    return partnerOf(step) != null || step.declaration().effect() == EffectClass.QUASI_ATOMIC;
  }

  void tell(Step step, Message message) {
    oneway.tell(step, message);
  }

  /** Keeps the handlers from being closed; returns false when they are. */
  boolean hold() {
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
    return intake.inFlight();
  }

  /** Number of messages that wait. */
  public int queued() {
    return intake.queued();
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
    return intake.limit();
  }

  /** Statistics of each step, in their order. */
  public List<StepStatistics> statistics() {
    return steps.stream().map(step -> counters(place(step)).statistics(step.name())).toList();
  }

  /** Number of workers for a single message in each stage now. */
  public List<Integer> workersOfStages() {
    return layouts.stream().map(layout -> Math.max(1, layout.bins(1).length)).toList();
  }

  /** Positions of the steps of a stage, by worker. */
  int[][] bins(int stage) {
    return layouts.get(stage).bins(intake.inFlight());
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

  int place(Step step) {
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

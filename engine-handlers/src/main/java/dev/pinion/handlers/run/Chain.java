package dev.pinion.handlers.run;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HandlerLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A chain in force: a plan, the messages that wait for it and those under way. For use by any
 * thread.
 *
 * <p>When it is closed, messages that have entered continue by the same plan; after the last of
 * them the handlers are closed.
 */
public final class Chain implements MessageGateway, AutoCloseable {
  private static final int MAX_PER_WORKER = 4;

  /** Initial size of adaptive windows, regardless of the number of workers. */
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private final ChainSteps steps;
  private final MessageRun.Owner owner = new RunOwner();
  private final AdmissionQueue admissionQueue;
  private final OnewayQueue oneway;
  private final boolean cheap;
  private final List<StageScheduler> layouts;

  private final LongAdder entered = new LongAdder();
  private final LongAdder overloaded = new LongAdder();

  // Above 0 while a thread hands messages to workers: that thread also handles those that arrive.
  private final AtomicInteger starting = new AtomicInteger();

  private volatile boolean closed;

  /** Puts a plan into force. */
  public Chain(ChainPlan plan, Workers workers, EngineLimits limits) {
    this.steps = new ChainSteps(plan, workers, limits);
    this.cheap = plan.isCheap();
    this.admissionQueue =
        new AdmissionQueue(window(limits.handlers()), limits.handlers(), plan.options().priority());
    this.oneway = new OnewayQueue(steps, limits.handlers());
    this.layouts = StageScheduler.of(steps);
  }

  private ConcurrencyWindow window(HandlerLimits limits) {
    int wanted = plan().options().window();
    return switch (wanted) {
      case ChainOptions.ADAPTIVE -> adaptive(limits.maxWindow());
      case ChainOptions.CPUS ->
          ConcurrencyWindow.fixed(Math.min(workers().count(), limits.maxWindow()));
      default -> ConcurrencyWindow.fixed(Math.min(wanted, limits.maxWindow()));
    };
  }

  /** Beyond a multiple of the CPUs, more messages have never made pure computing faster. */
  private AdaptiveWindow adaptive(int most) {
    boolean waits = plan().steps().stream().anyMatch(step -> step.declaration().work() == Work.IO);
    int cpus = Math.min(workers().count(), CPUS);
    return waits
        ? AdaptiveWindow.ofWaiting(cpus, most)
        : AdaptiveWindow.ofComputing(cpus, Math.min(most, MAX_PER_WORKER * workers().count()));
  }

  @Override
  public <C> void enter(Message message, C context, Completion<? super C> completion) {
    enterOr(
        message,
        context,
        completion,
        () -> MessageRun.report(context, completion, new Outcome.Overloaded("closed", 1)));
  }

  /** Like {@link #enter}, with another action when the chain is closed. */
  public <C> void enterOr(
      Message message, C context, Completion<? super C> completion, Runnable whenClosed) {
    if (closed || !steps.retain()) {
      whenClosed.run();
      return;
    }
    MessageRun<C> run = new MessageRun<>(steps, owner, message, context, completion);
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
      run.report(refused);
      steps.release();
    }
    startWaiting(workers()::execute);
  }

  /**
   * Hands messages to workers for as long as the window allows, in the order in which they left the
   * queue: by one thread at a time, which also handles messages that arrive meanwhile.
   */
  private void startWaiting(Consumer<Runnable> handOver) {
    int missed = starting.getAndIncrement() == 0 ? 1 : 0;
    while (missed > 0) {
      for (MessageRun<?> next = admissionQueue.next(workers().nanoTime());
          next != null;
          next = admissionQueue.next(workers().nanoTime())) {
        handOver.accept(next);
      }
      missed = starting.addAndGet(-missed);
    }
  }

  /** Admits no further message. Called once. */
  @Override
  public void close() {
    closed = true;
    steps.release();
  }

  /** The plan in force. */
  public ChainPlan plan() {
    return steps.plan();
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
    return steps.statistics();
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

  private Workers workers() {
    return steps.workers();
  }

  /** What this chain does for its messages. */
  private final class RunOwner implements MessageRun.Owner {
    @Override
    public int[][] batches(int stage) {
      return bins(stage);
    }

    @Override
    public void enqueueOneway(Step step, Message message) {
      oneway.offer(step, message);
    }

    @Override
    public void complete(MessageRun<?> run, Outcome outcome) {
      run.report(outcome);
      if (!cheap) {
        admissionQueue.release(run, workers().nanoTime());
        startWaiting(workers()::executeNext); // the last action of this worker for the message
      }
      steps.release();
    }
  }
}

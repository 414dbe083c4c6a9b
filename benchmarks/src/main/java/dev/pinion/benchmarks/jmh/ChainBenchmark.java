package dev.pinion.benchmarks.jmh;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import dev.pinion.handlers.run.Workers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Cost of chains of handlers, and gain of handlers side by side.
 *
 * <pre>
 *   overhead: message ──▶ 1 or 8 handlers that do nothing but set a property ──▶ out
 *   speedUp:  message ──▶ n handlers of about 1 ms, side by side or not ──▶ out
 * </pre>
 *
 * <p>The overhead per handler is a seventh of the difference between 8 handlers and 1 on the same
 * thread, including the cost of setting a property. The cost of handing a message to a worker is
 * the time of 1 handler there; {@code SPINNING} needs a core for the worker and one for the thread
 * that waits. The speed-up of n handlers is the time of {@code NEVER} divided by that of {@code
 * ALWAYS}, and needs n cores.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChainBenchmark {
  private static final long WORK_TOKENS = 500_000;

  /** Threads that run the handlers. */
  public enum HandlerRunner {
    /** The thread that brings the message. */
    SAME_THREAD,
    /** One worker that is parked when there is nothing to do. */
    PARKED,
    /** One worker that polls for work all the time. */
    SPINNING
  }

  /** A chain of handlers that hardly do anything. */
  @State(Scope.Thread)
  public static class Tiny {
    /** Thread that runs the handlers. */
    @Param public HandlerRunner handlerRunner = HandlerRunner.SAME_THREAD;

    /** Number of handlers. */
    @Param({"1", "8"})
    public int handlers = 1;

    private final Running running = new Running();

    /** Starts the chain. */
    @Setup(Level.Trial)
    public void start() {
      Clock clock = Clock.system();
      Workers workers =
          switch (handlerRunner) {
            case SAME_THREAD -> new CallerRunsWorkers(clock);
            case PARKED -> new WorkerPool(WorkerSettings.parked(1, 0), clock);
            case SPINNING -> new WorkerPool(WorkerSettings.spinning(1, 0), clock);
          };
      List<Step> steps =
          IntStream.range(0, handlers).mapToObj(i -> Step.of("h" + i, new SetProperty(i))).toList();
      running.start(ChainPlan.inOrder("tiny", steps, ChainOptions.DEFAULT), workers);
    }

    /** Ends the chain. */
    @TearDown(Level.Trial)
    public void stop() {
      running.stop();
    }
  }

  /** A stage of handlers that compute. */
  @State(Scope.Thread)
  public static class Computing {
    /** Number of handlers and workers. */
    @Param({"1", "2", "4"})
    public int width = 1;

    /** Whether the handlers run side by side. */
    @Param({"NEVER", "ALWAYS"})
    public ChainOptions.SideBySide sideBySide = ChainOptions.SideBySide.NEVER;

    private final Running running = new Running();

    /** Starts the chain. */
    @Setup(Level.Trial)
    public void start() {
      List<Step> steps =
          IntStream.range(0, width).mapToObj(i -> Step.of("h" + i, new Compute())).toList();
      running.start(
          new ChainPlan(
              "compute", List.of(new ChainStage(steps)), new ChainOptions(null, 1, sideBySide)),
          new WorkerPool(WorkerSettings.parked(width, 0), Clock.system()));
    }

    /** Ends the chain. */
    @TearDown(Level.Trial)
    public void stop() {
      running.stop();
    }
  }

  /** One message through handlers that hardly do anything. */
  @Benchmark
  public void overhead(Tiny chain) {
    chain.running.pass();
  }

  /** One message through handlers that compute. */
  @Benchmark
  public void speedUp(Computing chain) {
    chain.running.passAsleep();
  }

  /** A message and a part of it. */
  @State(Scope.Thread)
  public static class Parts {
    private final PayloadCodec codec = new PayloadCodec(EngineLimits.defaults().json());
    private final List<Slot> slots = List.of(Slot.body("/m7/part"));
    private Message whole = message(1);

    /** Number of members of the body. */
    @Param({"10", "1000"})
    public int members = 10;

    /** Creates the message. */
    @Setup(Level.Trial)
    public void make() {
      whole = message(members);
    }

    private static Message message(int members) {
      Map<String, Payload> object = new LinkedHashMap<>();
      for (int i = 0; i < members; i++) {
        object.put("m" + i, Payload.object(Map.of("part", Payload.of(i))));
      }
      return Message.of(
          new MessageId(1, 2), Point.REQUEST_IN, Map.of(), Body.of(Payload.object(object)));
    }
  }

  /** A part of a message for a remote handler. */
  @Benchmark
  public Message split(Parts parts) {
    return parts.whole.only(parts.slots, parts.codec);
  }

  /** The message joined with the result for the part. */
  @Benchmark
  public Message join(Parts parts) throws Exception {
    return parts.whole.with(Changes.NONE.json("/m7/part", Payload.TRUE), parts.codec);
  }

  /** A chain, a message, and the thread that waits for it. */
  private static final class Running {
    private final Message message =
        Message.of(new MessageId(1, 2), Point.REQUEST_IN, Map.of(), Body.of(Payload.EMPTY_OBJECT));
    private Workers workers = new CallerRunsWorkers(Clock.system());
    private Chain chain = chain(ChainPlan.inOrder("none", List.of(), ChainOptions.DEFAULT));

    private Chain chain(ChainPlan plan) {
      return new Chain(plan, workers, EngineLimits.defaults());
    }

    void start(ChainPlan plan, Workers by) {
      workers = by;
      chain = chain(plan);
    }

    void stop() {
      chain.close();
      workers.close();
    }

    void pass() {
      AtomicBoolean through = new AtomicBoolean();
      chain.enter(message, through, (context, outcome) -> context.setRelease(true));
      while (!through.getAcquire()) {
        Thread.onSpinWait();
      }
    }

    /** As {@link #pass}, leaving the core of this thread to workers meanwhile. */
    void passAsleep() {
      AtomicBoolean through = new AtomicBoolean();
      Thread waiting = Thread.currentThread();
      chain.enter(
          message,
          through,
          (context, outcome) -> {
            context.setRelease(true);
            LockSupport.unpark(waiting);
          });
      while (!through.getAcquire()) {
        LockSupport.park(this);
      }
    }
  }

  private record SetProperty(int number) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.writing(Slot.property("p" + number));
    }

    @Override
    public Verdict handle(View message) {
      return Verdict.goOn(Changes.NONE.property("p" + number, "set"));
    }
  }

  private record Compute() implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING;
    }

    @Override
    public Verdict handle(View message) {
      Blackhole.consumeCPU(WORK_TOKENS);
      return Verdict.UNCHANGED;
    }
  }
}

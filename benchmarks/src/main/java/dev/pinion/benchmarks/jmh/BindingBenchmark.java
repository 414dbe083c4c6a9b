package dev.pinion.benchmarks.jmh;

import dev.pinion.broker.binding.BindingPlan;
import dev.pinion.broker.binding.Counters;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to bind one invocation: who of the implementations with a share has its turn, and
 * whether a request is served. With {@code -prof gc}: nothing is allocated.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class BindingBenchmark {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  /** Implementations with a share. */
  @Param({"1", "3", "8"})
  public int shares = 3;

  private @Nullable BindingPlan plan;

  /** A plan of one class and one task. */
  @Setup
  public void prepare() {
    List<ConcreteService> services = new ArrayList<>();
    List<Share> dealt = new ArrayList<>();
    for (int i = 0; i < shares; i++) {
      ConcreteService service = new ConcreteService("s" + i, 0.1, 0.99, 1, NO_LIMIT);
      services.add(service);
      dealt.add(new Share(Implementation.single(service), 1.0 / shares));
    }
    AbstractTask task = new AbstractTask("task", services, EnumSet.of(Pattern.SINGLE));
    ClassLevel level = new ClassLevel("gold", 0.1, -0.01, 1, 0.9, Map.of("task", dealt));
    plan = BindingPlan.of(1, List.of(task), List.of(level), new Counters(() -> 42));
  }

  private BindingPlan plan() {
    BindingPlan prepared = plan;
    if (prepared == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    return prepared;
  }

  /** One invocation, on one thread. */
  @Benchmark
  public @Nullable Implementation choose() {
    return plan().choose("gold", "task");
  }

  /** One invocation, while another thread binds the same task for the same class. */
  @Benchmark
  @Threads(2)
  public @Nullable Implementation chooseByTwo() {
    return plan().choose("gold", "task");
  }

  /** Whether a request is served. */
  @Benchmark
  public boolean serves() {
    return plan().serves("gold");
  }
}

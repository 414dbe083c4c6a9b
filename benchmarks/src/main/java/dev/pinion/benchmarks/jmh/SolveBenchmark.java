package dev.pinion.benchmarks.jmh;

import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.OptimalPlan;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.core.model.Clock;
import java.time.Duration;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A plan from a problem: columns enumerated, solved, proved, levels computed again. The solver is
 * loaded and warm.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Benchmark)
public class SolveBenchmark {
  /** Sizes of the problem. */
  public enum Size {
    /** Six tasks of two services, four classes: 120 implementations to choose from. */
    TRIP(6, 2, 4),

    /** Thirty tasks of ten services, five classes: 21,750. */
    LARGE(30, 10, 5);

    private final int tasks;
    private final int services;
    private final int classes;

    Size(int tasks, int services, int classes) {
      this.tasks = tasks;
      this.services = services;
      this.classes = classes;
    }
  }

  /** The problem. */
  @Param public Size size = Size.TRIP;

  private @Nullable Optimizer optimizer;
  private @Nullable BrokerProblem problem;

  /** Loads the solver, and checks that there is a plan. */
  @Setup
  public void prepare() {
    Optimizer prepared =
        new Optimizer(VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(60)));
    prepared.warmUp();
    optimizer = prepared;
    problem = SampleBrokerProblem.of(size.tasks, size.services, size.classes);
    solve();
  }

  /** One solution. */
  @Benchmark
  public OptimalPlan solve() {
    Optimizer prepared = optimizer;
    BrokerProblem sample = problem;
    if (prepared == null || sample == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    OptimisationResult optimisationResult = prepared.optimise(sample);
    if (optimisationResult instanceof OptimisationResult.Optimal(OptimalPlan optimalPlan)) {
      return optimalPlan;
    }
    throw new IllegalStateException("expected a plan, found " + optimisationResult);
  }
}

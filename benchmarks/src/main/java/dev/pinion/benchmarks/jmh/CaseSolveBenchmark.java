package dev.pinion.benchmarks.jmh;

import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * A plan from a reference case: columns enumerated, solved, proved, levels computed again. The
 * solver is loaded and warm. Cases are documents of {@code broker-lp/1} in the folder {@code cases}
 * below the one that the system property {@code pinion.broker} names.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@State(Scope.Benchmark)
public class CaseSolveBenchmark {
  private static final String FOLDER = "pinion.broker";
  private static final String BESIDE = "../shared/broker";

  /** The case: the trip planner of 128 columns, and one of 21,770. */
  @Param({"open-12-trip-planner", "open-14-large"})
  public String document = "open-12-trip-planner";

  private @Nullable Optimizer optimizer;
  private @Nullable BrokerProblem problem;

  /** Reads the case, loads the solver, and checks that there is a plan. */
  @Setup
  public void prepare() throws IOException {
    problem = read(Path.of(System.getProperty(FOLDER, BESIDE), "cases", document + ".json"));
    optimizer = new Optimizer(VerifiedSolver.ofOrTools(Clock.system(), Duration.ofSeconds(60)));
    optimizer.warmUp();
    solve();
  }

  private static BrokerProblem read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(
          "expected a reference case in "
              + file
              + ", found none; name its folder with -jvmArgsAppend -D"
              + FOLDER
              + "=DIR");
    }
    ProblemReading problemReading =
        new ProblemReader(ProblemLimits.defaults()).read(Files.readAllBytes(file));
    if (problemReading instanceof ProblemReading.ValidProblem(BrokerProblem read)) {
      return read;
    }
    throw new IOException("expected a problem in " + file + ", found " + problemReading);
  }

  /** One solution. */
  @Benchmark
  public OptimisationResult solve() {
    Optimizer prepared = optimizer;
    BrokerProblem read = problem;
    if (prepared == null || read == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    OptimisationResult optimisationResult = prepared.optimise(read);
    if (optimisationResult instanceof OptimisationResult.Optimal) {
      return optimisationResult;
    }
    throw new IllegalStateException("expected a plan, found " + optimisationResult);
  }
}

package dev.pinion.benchmarks.jmh;

import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.workloads.catalog.Workload;
import java.net.URI;
import java.util.concurrent.TimeUnit;
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

/** From the text of a definition to its process graph: the cost of a deployment. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class GraphCompileBenchmark {
  private final WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

  /** The definition. */
  @Param({"SEQUENTIAL", "TRIP_PLANNER"})
  public Workload workload = Workload.SEQUENTIAL;

  private String source = "";

  /** Reads the definition and makes sure that it compiles. */
  @Setup
  public void prepare() {
    source = workload.definition(URI.create("http://127.0.0.1:8080"));
    if (!(compile() instanceof CompilationResult.Compiled)) {
      throw new IllegalStateException("expected a valid definition, found " + compile());
    }
  }

  /** Text to graph. */
  @Benchmark
  public CompilationResult compile() {
    return compiler.compile(source, "application/yaml");
  }
}

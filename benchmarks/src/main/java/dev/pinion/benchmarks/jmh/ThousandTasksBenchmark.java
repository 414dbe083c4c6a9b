package dev.pinion.benchmarks.jmh;

import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
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

/** From the text of a long definition to its process graph. One operation is one definition. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class ThousandTasksBenchmark {
  /** Tasks of a part: five, of which one is inside another. */
  private static final int PART_TASKS = 5;

  private static final String HEAD =
      """
      document: {dsl: 1.0.3, namespace: benchmark, name: long, version: 1.0.0}
      do:
      """;

  private static final String PART =
      """
        - count#: {set: {n: '${ .n + 1 }', big: '${ .n > 100 }'}}
        - choose#:
            switch:
              - big: {when: .big, then: call#}
              - small: {then: continue}
        - guard#:
            try:
              - check#: {raise: {error: {type: 'urn:small', status: 400}}}
            catch: {errors: {with: {status: 400}}}
        - call#:
            call: http
            with: {method: post, endpoint: 'http://127.0.0.1/svc/s1', body: '${ . }'}
            output: {as: '${ {n: .n} }'}
      """;

  private final WorkflowCompiler compiler = new WorkflowCompiler(EngineLimits.defaults());

  /** Tasks of the definition. */
  @Param({"1000"})
  public int tasks = 1_000;

  private String source = "";

  /** Writes the definition and makes sure that it compiles. */
  @Setup
  public void prepare() {
    StringBuilder text = new StringBuilder(HEAD);
    for (int i = 0; i < tasks / PART_TASKS; i++) {
      text.append(PART.replace("#", Integer.toString(i)));
    }
    source = text.toString();
    if (!(compile() instanceof CompilationResult.Compiled compiled)) {
      throw new IllegalStateException("expected a valid definition, found " + compile());
    }
    if (compiled.graph().tasks() != tasks) {
      throw new IllegalStateException(
          "expected " + tasks + " tasks, found " + compiled.graph().tasks());
    }
  }

  /** Text to graph. */
  @Benchmark
  public CompilationResult compile() {
    return compiler.compile(source, "application/yaml");
  }
}

package dev.pinion.benchmarks.jmh;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compilation and evaluation of expressions: the engine's own, under the budget of an event loop,
 * beside jackson-jq, which has none. Both must give the same value before anything is measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(org.openjdk.jmh.annotations.Scope.Thread)
public class ExpressionBenchmark {
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final String INPUT =
      "{\"order\":{\"id\":\"o1\",\"total\":120},\"lines\":[{\"price\":40},{\"price\":80}]}";

  private final ExpressionCompiler compiler = new ExpressionCompiler(LIMITS);

  /** A path, arithmetic, the constructor of an object, a condition, a walk over an array. */
  @Param({
    ".order.total",
    ".order.total * 2 + 17",
    "{id: .order.id, sum: .order.total}",
    "if .order.total > 100 then .order.id else null end",
    "[.lines[] | .price] | add"
  })
  public String source = ".order.total";

  private @Nullable Expression<Payload> ours;
  private @Nullable JacksonJq theirs;
  private Payload input = Payload.NULL;

  /** Compiles the expression both ways. */
  @Setup
  public void prepare() throws JsonProcessingException, JsonQueryException {
    input = Payload.of(new ObjectMapper().readTree(INPUT));
    ours = compile();
    theirs = new JacksonJq(source);
    JsonNode expected = jacksonJq();
    if (!own().json().toString().equals(expected.toString())) {
      throw new IllegalStateException("expected " + expected + ", found " + own());
    }
  }

  /** The engine's own evaluator. */
  @Benchmark
  public Payload own() {
    Expression<Payload> expression = ours;
    if (expression == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    return expression.evaluate(input, Scope.EMPTY, new Budget(LIMITS.expression().loopSteps()));
  }

  /** The library. */
  @Benchmark
  public JsonNode jacksonJq() throws JsonQueryException {
    JacksonJq expression = theirs;
    if (expression == null) {
      throw new IllegalStateException("expected to be prepared");
    }
    return expression.evaluate(input.json());
  }

  /** Text to the engine's closures: part of what a deployment costs. */
  @Benchmark
  public Expression<Payload> compile() {
    Expression<Payload> compiled =
        compiler.compile(
            source,
            Set.of(),
            problem -> {
              throw new IllegalStateException("expected a valid expression, found " + problem);
            });
    if (compiled == null) {
      throw new IllegalStateException("expected an expression");
    }
    return compiled;
  }
}

package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * A compiled piece of an expression: an immutable tree of closures.
 *
 * <p>There are two ways to run it. {@link #one} computes the value of a piece that always has
 * exactly one output ({@link #single}); the hot path is made of these and nothing is allocated for
 * the machinery. {@link #each} sends every output to a {@link OutputSink}, which may ask to stop;
 * it also carries the path of the value where paths are requested, so that assignment and {@code
 * path(f)} need no second implementation.
 */
public abstract class Code {
  /** Whether there is always exactly one output, unless evaluation fails. */
  public final boolean single;

  /** Whether there is never a second output, nor an error after an output. */
  public final boolean atMostOne;

  /** Bound on the Java frames that evaluation nests, calls of functions not counted. */
  public final int height;

  public Code(boolean single, int height) {
    this(single, single, height);
  }

  /** Code of which it is known that it has no second output. */
  protected Code(boolean single, boolean atMostOne, int height) {
    this.single = single;
    this.atMostOne = atMostOne;
    this.height = height;
  }

  /** The only output; for {@link #single} code. */
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    throw new IllegalStateException("expected code with a single output, found " + getClass());
  }

  /**
   * Sends all outputs to a sink.
   *
   * @param in the value of {@code .}
   * @param valuePath the path of {@code in}, or null when no paths are requested
   * @return false when the sink asked to stop
   */
  public abstract boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out);

  /** Code with exactly one output, which is not a part of its input. */
  public abstract static class SingleValue extends Code {
    public SingleValue(int height) {
      super(true, height);
    }

    @Override
    public abstract JsonNode one(
        JsonNode in, @Nullable Env env, EvaluationContext evaluationContext);

    @Override
    public final boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return out.emit(one(in, env, evaluationContext), ValuePath.detached(valuePath));
    }
  }
}

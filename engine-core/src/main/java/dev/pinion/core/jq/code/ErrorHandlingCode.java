package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Code for missing values and failures: {@code //}, {@code try} and {@code ?}. */
public final class ErrorHandlingCode {
  private ErrorHandlingCode() {}

  /**
   * {@code a // b // c}: the outputs of a that are neither null nor false, else those of b, else
   * all of c. An error of a stays an error.
   */
  public static final class Alternative extends Code {
    private final Code[] parts;
    private final Code last;

    public Alternative(Code... parts) {
      super(
          ConstructionCode.allSingle(parts),
          PipelineCode.allAtMostOne(parts),
          3 + ControlFlowCode.maxHeight(parts));
      this.parts = Arrays.copyOf(parts, parts.length - 1);
      this.last = parts[parts.length - 1];
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      for (Code part : parts) {
        evaluationContext.step();
        JsonNode value = part.one(in, env, evaluationContext);
        if (JqValues.truthy(value)) {
          return value;
        }
      }
      return last.one(in, env, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      for (Code part : parts) {
        evaluationContext.step();
        Truthy truthy = new Truthy(out);
        if (!part.each(in, valuePath, env, evaluationContext, truthy)) {
          return false;
        }
        if (truthy.emitted) {
          return true;
        }
      }
      return last.each(in, valuePath, env, evaluationContext, out);
    }

    /** Passes the outputs that are neither null nor false. */
    private static final class Truthy implements OutputSink {
      private final OutputSink out;
      boolean emitted;

      Truthy(OutputSink out) {
        this.out = out;
      }

      @Override
      public boolean emit(JsonNode value, @Nullable ValuePath valuePath) {
        if (!JqValues.truthy(value)) {
          return true;
        }
        emitted = true;
        return out.emit(value, valuePath);
      }
    }
  }

  /** {@code try body catch handler} */
  public static final class Try extends Code {
    private final Code body;
    private final @Nullable Code handler;

    public Try(Code body, @Nullable Code handler) {
      super(
          body.single && handler != null && handler.single,
          body.atMostOne && (handler == null || handler.atMostOne),
          3 + (handler == null ? body.height : ControlFlowCode.maxHeight(body, handler)));
      this.body = body;
      this.handler = handler;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      long mark = evaluationContext.mark();
      try {
        return body.one(in, env, evaluationContext);
      } catch (JqException e) {
        evaluationContext.restore(mark);
        evaluationContext.charge(20);
        return handled().one(e.value(), env, evaluationContext);
      }
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      Guard guard = new Guard(out);
      long mark = evaluationContext.mark();
      JsonNode error;
      try {
        return body.each(in, valuePath, env, evaluationContext, guard);
      } catch (JqException e) {
        evaluationContext.restore(mark);
        evaluationContext.charge(20);
        error = e.value();
      } catch (Guard.DownstreamException e) {
        throw e.ifFrom(guard);
      }
      return handler == null
          || handler.each(error, ValuePath.detached(valuePath), env, evaluationContext, out);
    }

    private Code handled() {
      if (handler == null) {
        throw new IllegalStateException("expected a handler where one value is wanted");
      }
      return handler;
    }
  }

  /**
   * Passes outputs to a sink while errors are being caught: an error that the sink itself raises
   * belongs to code further on and must not be caught here.
   */
  static final class Guard implements OutputSink {
    private final OutputSink out;

    Guard(OutputSink out) {
      this.out = out;
    }

    @Override
    public boolean emit(JsonNode value, @Nullable ValuePath valuePath) {
      try {
        return out.emit(value, valuePath);
      } catch (JqException e) {
        throw new DownstreamException(e, this);
      }
    }

    /** An error on its way through the code that produced the output. */
    static final class DownstreamException extends RuntimeException {
      private final transient JqException error;
      private final transient Guard guard;

      DownstreamException(JqException error, Guard guard) {
        super(null, null, false, false);
        this.error = error;
        this.guard = guard;
      }

      RuntimeException ifFrom(Guard mine) {
        return guard == mine ? error : this;
      }
    }
  }
}

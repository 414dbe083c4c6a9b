package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that leaves a generator early: {@code label} and {@code break}. */
public final class LabelCode {
  private LabelCode() {}

  /** {@code label $name | body} */
  public static final class Label extends Code {
    private final Code body;

    public Label(Code body) {
      super(false, body.atMostOne, 2 + body.height);
      this.body = body;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      Env label = Env.label(env, evaluationContext);
      long mark = evaluationContext.mark();
      try {
        return body.each(in, valuePath, label, evaluationContext, out);
      } catch (BreakException e) {
        if (e.label != label) {
          throw e;
        }
        evaluationContext.restore(mark);
        return true;
      }
    }
  }

  /** {@code break $name} */
  public static final class Break extends Code {
    private final int hops;

    public Break(int hops) {
      super(false, true, 1);
      this.hops = hops;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.charge(20 + Env.cost(hops));
      throw new BreakException(Env.binding(env, hops));
    }
  }

  private static final class BreakException extends RuntimeException {
    private final transient Env label;

    BreakException(Env label) {
      super(null, null, false, false);
      this.label = label;
    }
  }
}

package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Calls of functions that are written in jq, and of their parameters. */
public final class CallCode {
  private CallCode() {}

  /** The compiled body of a function; set once, after the calls inside it were compiled. */
  public static final class Body {
    private @Nullable Code code;

    public void set(Code compiled) {
      this.code = compiled;
    }

    public Code code() {
      if (code == null) {
        throw new IllegalStateException("expected the body of the function to be compiled");
      }
      return code;
    }
  }

  /** A call of a function. */
  public static final class Call extends Code {
    private final Body body;
    private final int hops;
    private final int cost;
    private final Code[] arguments;

    /**
     * A call.
     *
     * @param hops hops outwards to the bindings among which the function was defined
     */
    public Call(Body body, boolean single, boolean atMostOne, int hops, Code... arguments) {
      super(single, atMostOne, single ? 1 : 2);
      this.body = body;
      this.hops = hops;
      this.cost = Env.cost(hops);
      this.arguments = arguments;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      Code code = body.code();
      evaluationContext.enter(code.height + 1);
      JsonNode value = code.one(in, bind(env, evaluationContext), evaluationContext);
      evaluationContext.leave(code.height + 1);
      return value;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      Code code = body.code();
      evaluationContext.enter(code.height + 2);
      boolean more = code.each(in, valuePath, bind(env, evaluationContext), evaluationContext, out);
      evaluationContext.leave(code.height + 2);
      return more;
    }

    private @Nullable Env bind(@Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.charge(cost);
      Env bound = Env.up(env, hops);
      for (Code argument : arguments) {
        if (argument instanceof Parameter parameter) {
          // Passes the filter on instead of a call of it, so that recursion does not pile up calls.
          Env filter = Env.binding(env, parameter.hops);
          bound = Env.filter(bound, filter.code(), filter.codeEnv(), evaluationContext);
        } else {
          bound = Env.filter(bound, argument, env, evaluationContext);
        }
      }
      return bound;
    }
  }

  /** A call of the filter that a parameter stands for. */
  public static final class Parameter extends Code {
    private final int hops;
    private final int cost;

    public Parameter(int hops, boolean single) {
      super(single, 2);
      this.hops = hops;
      this.cost = Env.cost(hops);
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.charge(cost);
      Env filter = Env.binding(env, hops);
      Code code = filter.code();
      evaluationContext.enter(code.height + 1);
      JsonNode value = code.one(in, filter.codeEnv(), evaluationContext);
      evaluationContext.leave(code.height + 1);
      return value;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.charge(cost);
      Env filter = Env.binding(env, hops);
      Code code = filter.code();
      evaluationContext.enter(code.height + 1);
      boolean more = code.each(in, valuePath, filter.codeEnv(), evaluationContext, out);
      evaluationContext.leave(code.height + 1);
      return more;
    }
  }
}

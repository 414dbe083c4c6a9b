package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that binds variables ({@code as}) and code that reads them. */
public final class BindingCode {
  private BindingCode() {}

  /** {@code $name} bound inside the expression. */
  public static final class Local extends Code.SingleValue {
    private final int hops;

    public Local(int hops) {
      super(1);
      this.hops = hops;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return Env.binding(env, hops).value();
    }
  }

  /** {@code $name} of the surrounding scope; null where the scope has no value for it. */
  public static final class Global extends Code.SingleValue {
    private final String name;

    public Global(String name) {
      super(1);
      this.name = name;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      var value = evaluationContext.scope.variable(name);
      return value == null ? JqValues.NULL : value.json();
    }
  }

  /** {@code source as pattern | body} */
  public static final class VariableBinding extends Code {
    private final Code source;
    private final DestructuringCode.PatternBinding patternBinding;
    private final Code body;

    public VariableBinding(
        Code source, DestructuringCode.PatternBinding patternBinding, Code body) {
      super(
          source.single && patternBinding.simple() && body.single,
          source.single && patternBinding.simple()
              ? 2 + ControlFlowCode.maxHeight(source, body)
              : 8 + source.height + patternBinding.height() + body.height);
      this.source = source;
      this.patternBinding = patternBinding;
      this.body = body;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode value = source.one(in, env, evaluationContext);
      return body.one(in, Env.value(env, value, evaluationContext), evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      if (source.single && patternBinding.simple()) {
        Env bound = Env.value(env, source.one(in, env, evaluationContext), evaluationContext);
        return body.each(in, valuePath, bound, evaluationContext, out);
      }
      return source.each(
          in,
          null,
          env,
          evaluationContext,
          (value, none) ->
              patternBinding.bind(
                  value,
                  in,
                  env,
                  evaluationContext,
                  out,
                  (bound, outputSink) ->
                      body.each(in, valuePath, bound, evaluationContext, outputSink)));
    }
  }
}

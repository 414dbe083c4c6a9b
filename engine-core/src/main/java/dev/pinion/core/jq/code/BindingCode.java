package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that binds variables ({@code as}) and code that reads them. */
public final class BindingCode {
  private BindingCode() {}

  /** {@code $name} bound inside the expression. */
  public static final class Local extends Code.SingleValue {
    private final int hops;
    private final int cost;

    public Local(int hops) {
      super(1);
      this.hops = hops;
      this.cost = Env.cost(hops);
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.charge(cost);
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
          source.atMostOne && patternBinding.simple() && body.atMostOne,
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

  /** {@code a as $a | b as $b | … body} of many variables, bound in a loop. */
  static final class BindingChain extends Code {
    private final Code[] sources;
    private final Code body;

    /**
     * A chain.
     *
     * @param sources values of the variables, each with a single output
     */
    BindingChain(List<Code> sources, Code body) {
      super(
          body.single,
          body.atMostOne,
          2 + Math.max(ControlFlowCode.maxHeight(sources.toArray(Code[]::new)), body.height));
      this.sources = sources.toArray(Code[]::new);
      this.body = body;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return body.one(in, bound(in, env, evaluationContext), evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      Env bound = bound(in, env, evaluationContext);
      return body.each(in, valuePath, bound, evaluationContext, out);
    }

    private @Nullable Env bound(
        JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      Env bound = env;
      for (Code source : sources) {
        evaluationContext.step();
        bound = Env.value(bound, source.one(in, bound, evaluationContext), evaluationContext);
      }
      return bound;
    }
  }

  /** A source and the variables that are bound to its outputs. */
  public record Binding(Code source, DestructuringCode.PatternBinding patterns) {
    private boolean plain() {
      return source.single && patterns.simple();
    }
  }

  /** A body in which bindings hold, the first one around the others. */
  public static Code bind(List<Binding> bindings, Code body) {
    Code code = body;
    int end = bindings.size();
    while (end > 0) {
      int start = end - 1;
      while (start > 0 && bindings.get(start).plain() && bindings.get(start - 1).plain()) {
        start--;
      }
      if (end - start > ControlFlowCode.MAX_NESTED) {
        code =
            new BindingChain(
                bindings.subList(start, end).stream().map(Binding::source).toList(), code);
      } else {
        for (Binding binding : bindings.subList(start, end).reversed()) {
          code = new VariableBinding(binding.source, binding.patterns, code);
        }
      }
      end = start;
    }
    return code;
  }
}

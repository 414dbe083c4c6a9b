package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ControlFlowCode;
import dev.pinion.core.jq.code.DescentCode;
import dev.pinion.core.jq.code.Env;
import dev.pinion.core.jq.code.IterationCode;
import dev.pinion.core.jq.code.LimitCode;
import dev.pinion.core.jq.code.OutputSink;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Functions that control evaluation: {@code select}, {@code limit}, {@code until}. */
final class ControlFlowBuiltins {
  private ControlFlowBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.filter("empty", 0, a -> Empty.INSTANCE);
    registry.value(
        "error",
        (in, evaluationContext) -> {
          evaluationContext.charge(20);
          throw new JqException(in);
        });
    registry.value(
        "error",
        (in, value, evaluationContext) -> {
          evaluationContext.charge(20);
          throw new JqException(value);
        });
    registry.value("not", (in, evaluationContext) -> JqValues.bool(!JqValues.truthy(in)));
    registry.filter("select", 1, a -> select(a[0]));
    registry.filter("recurse", 0, a -> DescentCode.INSTANCE);
    registry.filter("recurse", 1, a -> new IterationCode.Iteration(null, a[0]));
    registry.filter("repeat", 1, a -> new IterationCode.Repeat(a[0]));
    registry.filter("while", 2, a -> new IterationCode.Iteration(a[0], a[1]));
    registry.filter("until", 2, a -> new IterationCode.Until(a[0], a[1]));
    registry.filter("first", 1, a -> new LimitCode.SkipAndLimit(0, 1, a[0]));
    registry.filter("last", 1, a -> new LimitCode.Last(a[0]));
    registry.filter("limit", 2, a -> new LimitCode.CountedLimit(a[0], a[1], true));
    registry.filter("skip", 2, a -> new LimitCode.CountedLimit(a[0], a[1], false));
    registry.filter(
        "isempty", 1, a -> new Exists(a[0], PathCode.Identity.INSTANCE, Exists.Mode.EMPTY));
    registry.filter("any", 2, a -> new Exists(a[0], a[1], Exists.Mode.ANY));
    registry.filter("all", 2, a -> new Exists(a[0], a[1], Exists.Mode.ALL));
    registry.filter("any", 1, a -> new Exists(items(), a[0], Exists.Mode.ANY));
    registry.filter("all", 1, a -> new Exists(items(), a[0], Exists.Mode.ALL));
    registry.filter("any", 0, a -> new Exists(items(), identity(), Exists.Mode.ANY));
    registry.filter("all", 0, a -> new Exists(items(), identity(), Exists.Mode.ALL));
    registry.filter("range", 1, a -> new IterationCode.Range(constant(0), a[0], constant(1)));
    registry.filter("range", 2, a -> new IterationCode.Range(a[0], a[1], constant(1)));
    registry.filter("range", 3, a -> new IterationCode.Range(a[0], a[1], a[2]));
  }

  private static Code identity() {
    return PathCode.Identity.INSTANCE;
  }

  private static Code items() {
    return PathCode.Iterate.input();
  }

  private static Code constant(long number) {
    return new ConstructionCode.Constant(JqValues.number(number));
  }

  static Code select(Code condition) {
    return new ControlFlowCode.If(condition, identity(), Empty.INSTANCE);
  }

  /** {@code empty} */
  static final class Empty extends Code {
    static final Empty INSTANCE = new Empty();

    private Empty() {
      super(false, true, 1);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      return true;
    }
  }

  /** {@code any}, {@code all}, {@code isempty}: whether an output decides. */
  private static final class Exists extends Code.SingleValue {
    enum Mode {
      ANY,
      ALL,
      EMPTY
    }

    private final Code source;
    private final Code condition;
    private final Mode mode;

    Exists(Code source, Code condition, Mode mode) {
      super(6 + source.height + condition.height);
      this.source = source;
      this.condition = condition;
      this.mode = mode;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      boolean undecided =
          mode == Mode.EMPTY
              ? source.each(in, null, env, evaluationContext, (value, p) -> false)
              : source.each(
                  in,
                  null,
                  env,
                  evaluationContext,
                  (value, p) ->
                      condition.each(
                          value,
                          null,
                          env,
                          evaluationContext,
                          (verdict, q) -> JqValues.truthy(verdict) != (mode == Mode.ANY)));
      return JqValues.bool(undecided == (mode != Mode.ANY));
    }
  }
}

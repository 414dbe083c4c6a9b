package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code for control flow: sequence, choice, errors, labels. */
public final class ControlFlowCode {
  /** Most parts of a chain that nest; the longer ones run in a loop. */
  public static final int MAX_NESTED = 8;

  private ControlFlowCode() {}

  /** {@code left | right} */
  public static Code pipe(Code left, Code right) {
    if (left instanceof PathCode.Identity) {
      return right;
    }
    if (right instanceof PathCode.Identity) {
      return left;
    }
    if (left instanceof PathCode.FieldPath a && right instanceof PathCode.FieldPath b) {
      return a.then(b);
    }
    return new Pipe(left, right);
  }

  /** {@code a | b | c …} */
  public static Code pipe(Code... stages) {
    List<Code> joined = joined(stages);
    if (joined.size() > MAX_NESTED) {
      return new PipelineCode(joined.toArray(Code[]::new));
    }
    Code code = joined.isEmpty() ? PathCode.Identity.INSTANCE : joined.getLast();
    for (int i = joined.size() - 2; i >= 0; i--) {
      code = new Pipe(joined.get(i), code);
    }
    return code;
  }

  /** The stages that do something; neighbouring field paths become one. */
  private static List<Code> joined(Code... stages) {
    List<Code> joined = new ArrayList<>(stages.length);
    List<PathCode.FieldPath> fields = new ArrayList<>();
    for (Code stage : stages) {
      if (stage instanceof PathCode.FieldPath fieldPath) {
        fields.add(fieldPath);
      } else if (!(stage instanceof PathCode.Identity)) {
        flush(fields, joined);
        joined.add(stage);
      }
    }
    flush(fields, joined);
    return joined;
  }

  private static void flush(List<PathCode.FieldPath> fields, List<Code> joined) {
    if (!fields.isEmpty()) {
      joined.add(PathCode.FieldPath.joined(fields));
      fields.clear();
    }
  }

  public static final class Pipe extends Code {
    private final Code left;
    private final Code right;

    Pipe(Code left, Code right) {
      super(
          left.single && right.single,
          left.atMostOne && right.atMostOne,
          left.single ? Math.max(left.height, right.height) + 1 : left.height + right.height + 3);
      this.left = left;
      this.right = right;
    }

    public Code left() {
      return left;
    }

    public Code right() {
      return right;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return right.one(left.one(in, env, evaluationContext), env, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      if (left.single && valuePath == null) {
        return right.each(left.one(in, env, evaluationContext), null, env, evaluationContext, out);
      }
      return left.each(
          in,
          valuePath,
          env,
          evaluationContext,
          (value, at) -> right.each(value, at, env, evaluationContext, out));
    }
  }

  /** {@code a, b, c} */
  public static final class Comma extends Code {
    private final Code[] parts;

    public Comma(Code... parts) {
      super(false, 1 + maxHeight(parts));
      this.parts = parts;
    }

    /** Whether every part is a constant. */
    public boolean constant() {
      for (Code part : parts) {
        if (!(part instanceof ConstructionCode.Constant)) {
          return false;
        }
      }
      return true;
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
        if (!part.each(in, valuePath, env, evaluationContext, out)) {
          return false;
        }
      }
      return true;
    }
  }

  static int maxHeight(Code... codes) {
    int most = 0;
    for (Code code : codes) {
      most = Math.max(most, code.height);
    }
    return most;
  }

  /** {@code if condition then a else b end} */
  public static final class If extends Code {
    private final Code condition;
    private final Code then;
    private final Code otherwise;

    public If(Code condition, Code then, Code otherwise) {
      super(
          condition.single && then.single && otherwise.single,
          condition.atMostOne && then.atMostOne && otherwise.atMostOne,
          condition.single
              ? 1 + maxHeight(condition, then, otherwise)
              : 3 + condition.height + maxHeight(then, otherwise));
      this.condition = condition;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return JqValues.truthy(condition.one(in, env, evaluationContext))
          ? then.one(in, env, evaluationContext)
          : otherwise.one(in, env, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      if (condition.single) {
        Code branch = JqValues.truthy(condition.one(in, env, evaluationContext)) ? then : otherwise;
        return branch.each(in, valuePath, env, evaluationContext, out);
      }
      return condition.each(
          in,
          null,
          env,
          evaluationContext,
          (value, none) ->
              (JqValues.truthy(value) ? then : otherwise)
                  .each(in, valuePath, env, evaluationContext, out));
    }
  }

  /** {@code a and b}, {@code a or b} */
  public static final class Logic extends Code {
    private final boolean decisive;
    private final Code left;
    private final Code right;

    /**
     * A logical operator.
     *
     * @param decisive the value of the left side that decides without the right one
     */
    public Logic(boolean decisive, Code left, Code right) {
      super(
          left.single && right.single,
          left.atMostOne && right.atMostOne,
          left.single && right.single
              ? 1 + maxHeight(left, right)
              : 5 + left.height + right.height);
      this.decisive = decisive;
      this.left = left;
      this.right = right;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      boolean first = JqValues.truthy(left.one(in, env, evaluationContext));
      return JqValues.bool(
          first == decisive ? decisive : JqValues.truthy(right.one(in, env, evaluationContext)));
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      ValuePath lost = ValuePath.detached(valuePath);
      if (single) {
        return out.emit(one(in, env, evaluationContext), lost);
      }
      return left.each(
          in,
          null,
          env,
          evaluationContext,
          (first, p) -> {
            evaluationContext.step();
            return JqValues.truthy(first) == decisive
                ? out.emit(JqValues.bool(decisive), lost)
                : right.each(
                    in,
                    null,
                    env,
                    evaluationContext,
                    (second, q) -> out.emit(JqValues.bool(JqValues.truthy(second)), lost));
          });
    }
  }
}

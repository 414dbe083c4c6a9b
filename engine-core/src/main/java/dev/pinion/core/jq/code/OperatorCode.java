package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValueOrder;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Operators on values. */
public final class OperatorCode {
  private OperatorCode() {}

  /** The computation of an operator. */
  @FunctionalInterface
  public interface Operator {
    JsonNode apply(JsonNode left, JsonNode right, EvaluationContext evaluationContext);
  }

  private static final Operator SUM = Arithmetic::add;

  static boolean isSum(Operator operator) {
    return operator.equals(SUM);
  }

  /** The operator of a symbol. */
  public static Operator operator(String symbol) {
    return switch (symbol) {
      case "+" -> SUM;
      case "-" -> Arithmetic::subtract;
      case "*" -> Arithmetic::multiply;
      case "/" -> Arithmetic::divide;
      case "%" -> Arithmetic::remainder;
      case "==" ->
          (a, b, evaluationContext) -> JqValues.bool(ValueOrder.equal(a, b, evaluationContext));
      case "!=" ->
          (a, b, evaluationContext) -> JqValues.bool(!ValueOrder.equal(a, b, evaluationContext));
      case "<" ->
          (a, b, evaluationContext) -> JqValues.bool(ValueOrder.less(a, b, evaluationContext));
      case "<=" ->
          (a, b, evaluationContext) ->
              JqValues.bool(ValueOrder.compare(a, b, evaluationContext) <= 0);
      case ">" ->
          (a, b, evaluationContext) ->
              JqValues.bool(ValueOrder.compare(a, b, evaluationContext) > 0);
      case ">=" ->
          (a, b, evaluationContext) -> JqValues.bool(!ValueOrder.less(a, b, evaluationContext));
      default -> throw new IllegalArgumentException("expected an operator, found " + symbol);
    };
  }

  /** {@code left op right}; the right side is the outer loop. */
  public static final class Binary extends Code {
    private final Operator operator;
    private final Code left;
    private final Code right;

    public Binary(Operator operator, Code left, Code right) {
      super(
          left.single && right.single,
          left.atMostOne && right.atMostOne,
          left.single && right.single
              ? 1 + ControlFlowCode.maxHeight(left, right)
              : 5 + left.height + right.height);
      this.operator = operator;
      this.left = left;
      this.right = right;
    }

    /** Whether this is an addition. */
    boolean isSum() {
      return OperatorCode.isSum(operator);
    }

    Code left() {
      return left;
    }

    Code right() {
      return right;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      JsonNode b = right.one(in, env, evaluationContext);
      return operator.apply(left.one(in, env, evaluationContext), b, evaluationContext);
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
      return right.each(
          in,
          null,
          env,
          evaluationContext,
          (b, p) ->
              left.each(
                  in,
                  null,
                  env,
                  evaluationContext,
                  (a, q) -> out.emit(operator.apply(a, b, evaluationContext), lost)));
    }
  }

  /** {@code -operand} */
  public static final class Negate extends Code {
    private final Code operand;

    public Negate(Code operand) {
      super(operand.single, operand.atMostOne, 3 + operand.height);
      this.operand = operand;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return Arithmetic.negate(operand.one(in, env, evaluationContext), evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      ValuePath lost = ValuePath.detached(valuePath);
      return operand.each(
          in,
          null,
          env,
          evaluationContext,
          (value, p) -> out.emit(Arithmetic.negate(value, evaluationContext), lost));
    }
  }
}

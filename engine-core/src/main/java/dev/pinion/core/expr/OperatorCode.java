package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Operators on values. */
final class OperatorCode {
  private OperatorCode() {}

  /** The computation of an operator. */
  @FunctionalInterface
  interface Operator {
    JsonNode apply(JsonNode left, JsonNode right, Run run);
  }

  private static final Operator SUM = Arithmetic::add;

  /** The operator of a symbol. */
  static Operator operator(String symbol) {
    return switch (symbol) {
      case "+" -> SUM;
      case "-" -> Arithmetic::subtract;
      case "*" -> Arithmetic::multiply;
      case "/" -> Arithmetic::divide;
      case "%" -> Arithmetic::remainder;
      case "==" -> (a, b, run) -> Json.bool(Ordering.equal(a, b, run));
      case "!=" -> (a, b, run) -> Json.bool(!Ordering.equal(a, b, run));
      case "<" -> (a, b, run) -> Json.bool(Ordering.less(a, b, run));
      case "<=" -> (a, b, run) -> Json.bool(Ordering.compare(a, b, run) <= 0);
      case ">" -> (a, b, run) -> Json.bool(Ordering.compare(a, b, run) > 0);
      case ">=" -> (a, b, run) -> Json.bool(!Ordering.less(a, b, run));
      default -> throw new IllegalArgumentException("expected an operator, found " + symbol);
    };
  }

  /** {@code left op right}; the right side is the outer loop. */
  static final class Binary extends Code {
    private final Operator operator;
    private final Code left;
    private final Code right;

    Binary(Operator operator, Code left, Code right) {
      super(
          left.single && right.single,
          left.single && right.single
              ? 1 + FlowCode.maxHeight(left, right)
              : 5 + left.height + right.height);
      this.operator = operator;
      this.left = left;
      this.right = right;
    }

    /** Whether this is an addition. */
    boolean isSum() {
      return operator.equals(SUM);
    }

    Code left() {
      return left;
    }

    Code right() {
      return right;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      JsonNode b = right.one(in, env, run);
      return operator.apply(left.one(in, env, run), b, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      if (single) {
        return out.emit(one(in, env, run), lost);
      }
      return right.each(
          in,
          null,
          env,
          run,
          (b, p) ->
              left.each(in, null, env, run, (a, q) -> out.emit(operator.apply(a, b, run), lost)));
    }
  }

  /** {@code -operand} */
  static final class Negate extends Code {
    private final Code operand;

    Negate(Code operand) {
      super(operand.single, 3 + operand.height);
      this.operand = operand;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return Arithmetic.negate(operand.one(in, env, run), run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      return operand.each(
          in, null, env, run, (value, p) -> out.emit(Arithmetic.negate(value, run), lost));
    }
  }
}

package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.NumberText;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/** Functions of numbers. */
final class NumberBuiltins {
  /** Most characters of a text that becomes a number. */
  private static final int MAX_CHARS = 1_000;

  private static final double LN2 = Math.log(2);

  private NumberBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.filter(
        "infinite",
        0,
        a -> new ConstructionCode.Constant(DoubleNode.valueOf(Double.POSITIVE_INFINITY)));
    registry.filter("nan", 0, a -> new ConstructionCode.Constant(DoubleNode.valueOf(Double.NaN)));
    registry.filter("null", 0, a -> new ConstructionCode.Constant(JqValues.NULL));
    registry.filter("true", 0, a -> new ConstructionCode.Constant(JqValues.TRUE));
    registry.filter("false", 0, a -> new ConstructionCode.Constant(JqValues.FALSE));
    test(registry, "isinfinite", Double::isInfinite);
    test(registry, "isnan", Double::isNaN);
    test(registry, "isnormal", NumberBuiltins::normal);
    registry.value("fabs", NumberBuiltins::abs);
    registry.value(
        "abs",
        (in, evaluationContext) ->
            in.isTextual() || in.isContainerNode()
                ? in
                : in.isNumber()
                    ? abs(in, evaluationContext)
                    : Arithmetic.negate(in, evaluationContext));
    registry.value("tonumber", NumberBuiltins::toNumber);
    registry.value("toboolean", NumberBuiltins::toBoolean);
    rounding(registry);
    powers(registry);
    trigonometry(registry);
    parts(registry);
    binary(registry);
  }

  /** A test that nothing but a number passes. */
  private static void test(BuiltinRegistry registry, String name, DoublePredicate test) {
    registry.value(
        name,
        (in, evaluationContext) -> JqValues.bool(in.isNumber() && test.test(in.doubleValue())));
  }

  private static void rounding(BuiltinRegistry registry) {
    integral(registry, "floor", Math::floor);
    integral(registry, "ceil", Math::ceil);
    integral(registry, "round", x -> Math.copySign(Math.floor(Math.abs(x) + 0.5), x));
    integral(registry, "trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x));
    integral(registry, "rint", Math::rint);
    integral(registry, "nearbyint", Math::rint);
  }

  private static void powers(BuiltinRegistry registry) {
    unary(registry, "sqrt", Math::sqrt);
    unary(registry, "cbrt", Math::cbrt);
    unary(registry, "exp", Math::exp);
    unary(registry, "exp2", x -> Math.pow(2, x));
    unary(registry, "exp10", x -> Math.pow(10, x));
    unary(registry, "pow10", x -> Math.pow(10, x));
    unary(registry, "expm1", Math::expm1);
    unary(registry, "log", Math::log);
    unary(registry, "log2", NumberBuiltins::log2);
    unary(registry, "log10", Math::log10);
    unary(registry, "log1p", Math::log1p);
  }

  private static double log2(double x) {
    if (x <= 0 || !Double.isFinite(x)) {
      return Math.log(x);
    }
    int exponent = Math.getExponent(x);
    // Exact for powers of two; a quotient of logarithms is not.
    return exponent >= Double.MIN_EXPONENT
        ? exponent + Math.log(x / Math.scalb(1.0, exponent)) / LN2
        : Math.log(x) / LN2;
  }

  private static void trigonometry(BuiltinRegistry registry) {
    unary(registry, "sin", Math::sin);
    unary(registry, "cos", Math::cos);
    unary(registry, "tan", Math::tan);
    unary(registry, "asin", Math::asin);
    unary(registry, "acos", Math::acos);
    unary(registry, "atan", Math::atan);
    unary(registry, "sinh", Math::sinh);
    unary(registry, "cosh", Math::cosh);
    unary(registry, "tanh", Math::tanh);
    unary(registry, "asinh", x -> Math.copySign(Math.log(Math.abs(x) + Math.hypot(x, 1)), x));
    unary(registry, "acosh", x -> Math.log(x + Math.sqrt(x * x - 1)));
    unary(registry, "atanh", x -> 0.5 * Math.log1p(2 * x / (1 - x)));
  }

  private static void parts(BuiltinRegistry registry) {
    unary(registry, "significand", x -> finite(x) ? Math.scalb(x, -exponent(x)) : x);
    unary(registry, "logb", NumberBuiltins::logb);
    registry.value("frexp", (in, evaluationContext) -> frexp(number(in), evaluationContext));
    registry.value("modf", (in, evaluationContext) -> modf(number(in), evaluationContext));
  }

  /** Whether a number has an exponent. */
  private static boolean finite(double x) {
    return x != 0 && Double.isFinite(x);
  }

  /** The exponent for a significand between one and two, of subnormal numbers, too. */
  private static int exponent(double x) {
    return Math.abs(x) < Double.MIN_NORMAL
        ? Math.getExponent(x * 0x1p64) - 64
        : Math.getExponent(x);
  }

  private static double logb(double x) {
    return finite(x) ? exponent(x) : x == 0 ? Double.NEGATIVE_INFINITY : Math.abs(x);
  }

  private static void binary(BuiltinRegistry registry) {
    binary(registry, "pow", Math::pow);
    binary(registry, "atan2", Math::atan2);
    binary(registry, "fmin", (x, y) -> one(x, y, Math.min(x, y)));
    binary(registry, "fmax", (x, y) -> one(x, y, Math.max(x, y)));
    binary(registry, "fmod", (x, y) -> x % y);
    binary(registry, "hypot", Math::hypot);
    binary(registry, "fdim", (x, y) -> Math.max(x - y, 0));
    binary(registry, "copysign", Math::copySign);
    binary(registry, "drem", Math::IEEEremainder);
    binary(registry, "remainder", Math::IEEEremainder);
    binary(registry, "nextafter", Math::nextAfter);
    binary(registry, "nexttoward", Math::nextAfter);
    binary(registry, "ldexp", NumberBuiltins::scale);
    binary(registry, "scalb", (x, y) -> scale(x, y == Math.rint(y) ? y : Double.NaN));
    binary(registry, "scalbln", NumberBuiltins::scale);
    registry.value(
        "fma",
        3,
        (in, a, evaluationContext) ->
            JqValues.number(Math.fma(number(a[0]), number(a[1]), number(a[2]))));
  }

  /** The other number where one is NaN, else the result for both. */
  private static double one(double x, double y, double both) {
    return Double.isNaN(x) ? y : Double.isNaN(y) ? x : both;
  }

  private static double scale(double x, double exponent) {
    return Double.isNaN(exponent)
        ? exponent
        : Math.scalb(x, (int) Math.clamp(exponent, -5_000, 5_000));
  }

  private static void unary(BuiltinRegistry registry, String name, DoubleUnaryOperator function) {
    registry.value(
        name, (in, evaluationContext) -> JqValues.number(function.applyAsDouble(number(in))));
  }

  /** A function that leaves integers alone. */
  private static void integral(
      BuiltinRegistry registry, String name, DoubleUnaryOperator function) {
    registry.value(
        name,
        (in, evaluationContext) ->
            JqValues.isLong(in) ? in : JqValues.number(function.applyAsDouble(number(in))));
  }

  private static void binary(BuiltinRegistry registry, String name, DoubleBinaryOperator function) {
    registry.value(
        name,
        2,
        (in, a, evaluationContext) ->
            JqValues.number(function.applyAsDouble(number(a[0]), number(a[1]))));
  }

  static double number(JsonNode value) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    throw new JqException(JqValues.describe(value) + " number required");
  }

  private static boolean normal(double x) {
    return Double.isFinite(x) && Math.abs(x) >= Double.MIN_NORMAL;
  }

  static JsonNode abs(JsonNode in, EvaluationContext evaluationContext) {
    if (!in.isNumber()) {
      throw new JqException(JqValues.describe(in) + " number required");
    }
    if (JqValues.isLong(in)) {
      return in.longValue() < 0 ? Arithmetic.negate(in, evaluationContext) : in;
    }
    return in.isBigInteger() && in.bigIntegerValue().signum() >= 0
        ? in
        : JqValues.number(Math.abs(in.doubleValue()));
  }

  private static JsonNode frexp(double x, EvaluationContext evaluationContext) {
    evaluationContext.array(2);
    if (x == 0 || !Double.isFinite(x)) {
      return JqValues.array(List.of(JqValues.number(x), JqValues.number(0L)));
    }
    int shift = Math.abs(x) < Double.MIN_NORMAL ? 64 : 0;
    double scaled = Math.scalb(x, shift);
    int exponent = Math.getExponent(scaled) + 1;
    return JqValues.array(
        List.of(
            JqValues.number(Math.scalb(scaled, -exponent)),
            JqValues.number((long) exponent - shift)));
  }

  private static JsonNode modf(double x, EvaluationContext evaluationContext) {
    evaluationContext.array(2);
    double integer = x < 0 ? Math.ceil(x) : Math.floor(x);
    double fraction = Double.isInfinite(x) ? 0 : x - integer;
    return JqValues.array(List.of(JqValues.number(fraction), JqValues.number(integer)));
  }

  private static JsonNode toNumber(JsonNode in, EvaluationContext evaluationContext) {
    if (in.isNumber()) {
      return in;
    }
    if (in.isTextual()) {
      String text = in.textValue();
      evaluationContext.charge(10 + text.length() / 8);
      JsonNode number = text.length() > MAX_CHARS ? null : NumberText.parse(text);
      if (number != null) {
        return JqValues.isLong(number) ? number : JqValues.number(number.doubleValue());
      }
    }
    throw new JqException(JqValues.describe(in) + " cannot be parsed as a number");
  }

  private static JsonNode toBoolean(JsonNode in, EvaluationContext evaluationContext) {
    if (in.isBoolean()) {
      return in;
    }
    if (in.isTextual() && in.textValue().equals("true")) {
      return JqValues.TRUE;
    }
    if (in.isTextual() && in.textValue().equals("false")) {
      return JqValues.FALSE;
    }
    throw new JqException(JqValues.describe(in) + " cannot be parsed as a boolean");
  }
}

package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.value.Arithmetic;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Pattern;

/** Functions of numbers. */
final class NumberBuiltins {
  /** Linear to match: no two parts can match the same characters. */
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");

  /** As many digits as every long has room for, sign included. */
  private static final int LONG_DIGITS = 18;

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
    registry.value(
        "isinfinite",
        (in, evaluationContext) -> JqValues.bool(Double.isInfinite(number(in, "isinfinite"))));
    registry.value(
        "isnan", (in, evaluationContext) -> JqValues.bool(Double.isNaN(number(in, "isnan"))));
    registry.value(
        "isnormal", (in, evaluationContext) -> JqValues.bool(normal(number(in, "isnormal"))));
    registry.value("abs", NumberBuiltins::abs);
    registry.value("tonumber", NumberBuiltins::toNumber);
    registry.value("toboolean", NumberBuiltins::toBoolean);
    rounding(registry);
    powers(registry);
    trigonometry(registry);
    parts(registry);
    binary(registry);
  }

  private static void rounding(BuiltinRegistry registry) {
    integral(registry, "floor", Math::floor);
    integral(registry, "ceil", Math::ceil);
    integral(registry, "round", x -> Math.copySign(Math.floor(Math.abs(x) + 0.5), x));
    integral(registry, "trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x));
    integral(registry, "rint", Math::rint);
    integral(registry, "nearbyint", Math::rint);
    unary(registry, "fabs", Math::abs);
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
    unary(
        registry,
        "significand",
        x -> x == 0 || !Double.isFinite(x) ? x : x / Math.scalb(1.0, Math.getExponent(x)));
    unary(
        registry,
        "logb",
        x ->
            x == 0
                ? Double.NEGATIVE_INFINITY
                : Double.isInfinite(x) ? Math.abs(x) : Math.getExponent(x));
    unary(registry, "gamma", GammaFunction::logGamma);
    unary(registry, "lgamma", GammaFunction::logGamma);
    unary(registry, "lgamma_r", GammaFunction::logGamma);
    unary(registry, "tgamma", GammaFunction::gamma);
    registry.value(
        "frexp", (in, evaluationContext) -> frexp(number(in, "frexp"), evaluationContext));
    registry.value("modf", (in, evaluationContext) -> modf(number(in, "modf"), evaluationContext));
  }

  private static void binary(BuiltinRegistry registry) {
    binary(registry, "pow", Math::pow);
    binary(registry, "atan2", Math::atan2);
    binary(registry, "fmin", Math::min);
    binary(registry, "fmax", Math::max);
    binary(registry, "fmod", (x, y) -> x % y);
    binary(registry, "hypot", Math::hypot);
    binary(registry, "fdim", (x, y) -> Math.max(x - y, 0));
    binary(registry, "copysign", Math::copySign);
    binary(registry, "drem", Math::IEEEremainder);
    binary(registry, "nextafter", Math::nextAfter);
    binary(registry, "nexttoward", Math::nextAfter);
    binary(registry, "ldexp", NumberBuiltins::scale);
    binary(registry, "scalb", NumberBuiltins::scale);
    binary(registry, "scalbln", NumberBuiltins::scale);
    registry.value(
        "fma",
        3,
        (in, a, evaluationContext) ->
            JqValues.number(
                Math.fma(number(a[0], "fma"), number(a[1], "fma"), number(a[2], "fma"))));
  }

  private static double scale(double x, double exponent) {
    return Math.scalb(x, (int) Math.clamp(exponent, -5_000, 5_000));
  }

  private static void unary(BuiltinRegistry registry, String name, DoubleUnaryOperator function) {
    registry.value(
        name, (in, evaluationContext) -> JqValues.number(function.applyAsDouble(number(in, name))));
  }

  /** A function that leaves integers alone. */
  private static void integral(
      BuiltinRegistry registry, String name, DoubleUnaryOperator function) {
    registry.value(
        name,
        (in, evaluationContext) ->
            JqValues.isLong(in) ? in : JqValues.number(function.applyAsDouble(number(in, name))));
  }

  private static void binary(BuiltinRegistry registry, String name, DoubleBinaryOperator function) {
    registry.value(
        name,
        2,
        (in, a, evaluationContext) ->
            JqValues.number(function.applyAsDouble(number(a[0], name), number(a[1], name))));
  }

  static double number(JsonNode value, String function) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    throw new JqException(JqValues.describe(value) + " number required by " + function);
  }

  private static boolean normal(double x) {
    return Double.isFinite(x) && Math.abs(x) >= Double.MIN_NORMAL;
  }

  static JsonNode abs(JsonNode in, EvaluationContext evaluationContext) {
    if (!in.isNumber()) {
      if (in.isTextual()) {
        return in;
      }
      throw new JqException(JqValues.describe(in) + " has no absolute value");
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
      if (text.length() <= 1_000 && NUMBER.matcher(text).matches()) {
        return parse(text);
      }
    }
    throw new JqException(JqValues.describe(in) + " cannot be parsed as a number");
  }

  private static JsonNode parse(String text) {
    if (text.length() <= LONG_DIGITS
        && text.charAt(0) != '.'
        && text.chars().skip(1).allMatch(Character::isDigit)) {
      return JqValues.number(Long.parseLong(text));
    }
    double value = Double.parseDouble(text);
    return JqValues.number(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
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

package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.special.BesselFunctions;
import dev.pinion.core.jq.special.ErrorFunction;
import dev.pinion.core.jq.special.GammaFunction;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongConsumer;

/** Special functions of numbers: gamma, error and Bessel functions. */
final class SpecialBuiltins {
  /** Steps of a function, which computes with many more digits than it gives. */
  private static final int STEPS = 2_000;

  /** Steps for each order that a recurrence passes. */
  private static final int ORDER_STEPS = 16;

  private SpecialBuiltins() {}

  static void register(BuiltinRegistry registry) {
    special(registry, "gamma", GammaFunction::logGamma);
    special(registry, "lgamma", GammaFunction::logGamma);
    special(registry, "tgamma", GammaFunction::gamma);
    registry.value("lgamma_r", SpecialBuiltins::logGammaAndSign);
    special(registry, "erf", ErrorFunction::erf);
    special(registry, "erfc", ErrorFunction::erfc);
    special(registry, "j0", x -> BesselFunctions.j(0, x));
    special(registry, "j1", x -> BesselFunctions.j(1, x));
    special(registry, "y0", x -> BesselFunctions.y(0, x));
    special(registry, "y1", x -> BesselFunctions.y(1, x));
    ofOrder(registry, "jn", BesselFunctions::j);
    ofOrder(registry, "yn", BesselFunctions::y);
  }

  private static void special(BuiltinRegistry registry, String name, DoubleUnaryOperator function) {
    registry.value(
        name,
        (in, evaluationContext) -> {
          evaluationContext.charge(STEPS);
          return JqValues.number(function.applyAsDouble(NumberBuiltins.number(in)));
        });
  }

  private interface OfOrder {
    double apply(int order, double x, LongConsumer work);
  }

  private static void ofOrder(BuiltinRegistry registry, String name, OfOrder function) {
    registry.value(
        name,
        2,
        (in, a, evaluationContext) -> {
          evaluationContext.charge(STEPS);
          int order = (int) NumberBuiltins.number(a[0]);
          LongConsumer work = orders -> evaluationContext.charge(ORDER_STEPS * orders);
          return JqValues.number(function.apply(order, NumberBuiltins.number(a[1]), work));
        });
  }

  private static JsonNode logGammaAndSign(JsonNode in, EvaluationContext evaluationContext) {
    evaluationContext.charge(STEPS);
    double x = NumberBuiltins.number(in);
    return JqValues.array(
        List.of(
            JqValues.number(GammaFunction.logGamma(x)),
            JqValues.number((long) GammaFunction.sign(x))));
  }
}

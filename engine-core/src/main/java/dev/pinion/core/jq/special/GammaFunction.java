package dev.pinion.core.jq.special;

import dev.pinion.core.jq.special.ElementaryFunctions.Exponential;

/** The gamma function by Stirling's series. */
public final class GammaFunction {
  /** From here on the series has more digits than a double. */
  private static final long LARGE = 40;

  /** Below this, the function is as good as one divided by its argument. */
  private static final double TINY = 1e-20;

  /** Numerators and denominators of Bernoulli's numbers 2, 4, 6 and so on. */
  private static final long[][] BERNOULLI = {
    {1, 6},
    {-1, 30},
    {1, 42},
    {-1, 30},
    {5, 66},
    {-691, 2_730},
    {7, 6},
    {-3_617, 510},
    {43_867, 798},
    {-174_611, 330},
    {854_513, 138},
    {-236_364_091, 2_730},
    {8_553_103, 6}
  };

  private static final FixedPoint HALF_LOG_OF_TWO_PI =
      ElementaryFunctions.log(ElementaryFunctions.PI.scaled(1)).scaled(-1);

  private GammaFunction() {}

  /** The logarithm of the absolute value of the gamma function. */
  public static double logGamma(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Double.isInfinite(x) || isPole(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x == 1 || x == 2) {
      return 0;
    }
    return Math.abs(x) < TINY ? -Math.log(Math.abs(x)) : log(x).value();
  }

  /** The gamma function; NaN at the negative integers. */
  public static double gamma(double x) {
    if (Double.isNaN(x) || x == Double.POSITIVE_INFINITY) {
      return x;
    }
    if (x != 0 && (x == Double.NEGATIVE_INFINITY || isPole(x))) {
      return Double.NaN;
    }
    if (Math.abs(x) < TINY) {
      return 1 / x;
    }
    Exponential absolute = ElementaryFunctions.exp(log(x));
    return sign(x) * absolute.value();
  }

  /** The sign of the gamma function, 1 or -1. */
  public static int sign(double x) {
    boolean negative = x < 0 && !isPole(x) && Math.floor(x) % 2 != 0;
    return negative || (x == 0 && 1 / x < 0) ? -1 : 1;
  }

  private static boolean isPole(double x) {
    return x <= 0 && x == Math.floor(x);
  }

  /** The logarithm of the absolute value, except at poles and next to zero. */
  private static FixedPoint log(double x) {
    if (x > 0) {
      return log(FixedPoint.of(x));
    }
    FixedPoint sine = ElementaryFunctions.sineOfPi(x - Math.rint(x)).absolute();
    return ElementaryFunctions.log(ElementaryFunctions.PI)
        .minus(ElementaryFunctions.log(sine))
        .minus(log(FixedPoint.ONE.minus(FixedPoint.of(x))));
  }

  /** The logarithm for a positive number. */
  static FixedPoint log(FixedPoint x) {
    FixedPoint product = FixedPoint.ONE;
    FixedPoint large = x;
    while (large.isLess(FixedPoint.of(LARGE))) {
      product = product.times(large);
      large = large.plus(FixedPoint.ONE);
    }
    FixedPoint log = stirling(large);
    return product.equals(FixedPoint.ONE) ? log : log.minus(ElementaryFunctions.log(product));
  }

  private static FixedPoint stirling(FixedPoint z) {
    FixedPoint sum =
        z.minus(FixedPoint.ONE.scaled(-1))
            .times(ElementaryFunctions.log(z))
            .minus(z)
            .plus(HALF_LOG_OF_TWO_PI);
    FixedPoint inverse = FixedPoint.ONE.over(z);
    FixedPoint square = inverse.times(inverse);
    FixedPoint power = inverse;
    for (int i = 0; i < BERNOULLI.length; i++) {
      long twice = 2L * i + 2;
      sum = sum.plus(power.times(BERNOULLI[i][0]).over(BERNOULLI[i][1] * twice * (twice - 1)));
      power = power.times(square);
    }
    return sum;
  }
}

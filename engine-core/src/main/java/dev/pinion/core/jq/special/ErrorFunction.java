package dev.pinion.core.jq.special;

/** The error function and its complement. */
public final class ErrorFunction {
  /** From here on the complement has a continued fraction that converges soon. */
  private static final double LARGE = 6;

  /** Beyond this, the complement is smaller than any double. */
  private static final double VANISHING = 28;

  private static final int FRACTIONS = 80;

  /** Below this, the function is as good as proportional. */
  private static final double TINY = 1e-10;

  private ErrorFunction() {}

  public static double erf(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Math.abs(x) >= LARGE) {
      return Math.signum(x);
    }
    if (Math.abs(x) < TINY) {
      return FixedPoint.ONE.scaled(1).over(ElementaryFunctions.ROOT_OF_PI).value() * x;
    }
    return series(x).value();
  }

  /** One minus the error function. */
  public static double erfc(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Math.abs(x) >= VANISHING) {
      return x > 0 ? 0 : 2;
    }
    return x < LARGE ? FixedPoint.ONE.minus(series(x)).value() : fraction(x);
  }

  /** The sum of (2x²)ⁿ / (1 · 3 · 5 … (2n + 1)), times what stands before it. */
  private static FixedPoint series(double of) {
    FixedPoint x = FixedPoint.of(of);
    FixedPoint square = x.times(x);
    FixedPoint term = FixedPoint.ONE;
    FixedPoint sum = term;
    for (long k = 3; term.sign() != 0; k += 2) {
      term = term.times(square).scaled(1).over(k);
      sum = sum.plus(term);
    }
    ElementaryFunctions.Exponential power = ElementaryFunctions.exp(square.negated());
    return power
        .significand()
        .scaled((int) power.exponent())
        .times(sum)
        .times(x)
        .scaled(1)
        .over(ElementaryFunctions.ROOT_OF_PI);
  }

  /** exp(-x²) / √π / (x + (1/2) / (x + (2/2) / (x + (3/2) / …))) */
  private static double fraction(double of) {
    FixedPoint x = FixedPoint.of(of);
    FixedPoint fraction = x;
    for (long k = FRACTIONS; k > 0; k--) {
      fraction = x.plus(FixedPoint.of(k).scaled(-1).over(fraction));
    }
    return ElementaryFunctions.exp(x.times(x).negated())
        .times(FixedPoint.ONE.over(fraction.times(ElementaryFunctions.ROOT_OF_PI)));
  }
}

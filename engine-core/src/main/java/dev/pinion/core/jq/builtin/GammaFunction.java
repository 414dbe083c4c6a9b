package dev.pinion.core.jq.builtin;

/** The gamma function by Lanczos' approximation (g = 7, nine terms), about 15 digits. */
final class GammaFunction {
  private static final double G = 7;
  private static final double[] COEFFICIENTS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };
  private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private GammaFunction() {}

  /** The logarithm of the absolute value of the gamma function. */
  static double logGamma(double x) {
    if (x == 1 || x == 2) {
      return 0;
    }
    if (x <= 0 && x == Math.floor(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < 0.5) {
      return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
    }
    double shifted = x - 1;
    double sum = COEFFICIENTS[0];
    for (int i = 1; i < COEFFICIENTS.length; i++) {
      sum += COEFFICIENTS[i] / (shifted + i);
    }
    double t = shifted + G + 0.5;
    return LOG_SQRT_TWO_PI + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
  }

  /** The gamma function; NaN at zero and the negative integers. */
  static double gamma(double x) {
    if (x == Math.rint(x) && x > 0 && x < 24) {
      double product = 1;
      for (int i = 2; i < x; i++) {
        product *= i;
      }
      return product;
    }
    if (x <= 0 && x == Math.floor(x)) {
      return x == 0 ? 1 / x : Double.NaN;
    }
    boolean negative = x < 0 && Math.floorMod((long) Math.floor(x), 2L) == 1;
    return (negative ? -1 : 1) * Math.exp(logGamma(x));
  }
}

package dev.pinion.core.jq.special;

import java.math.BigInteger;

/** Constants and elementary functions of {@link FixedPoint} numbers. */
final class ElementaryFunctions {
  /** Places of the constant that reduces the argument of sine, however large that is. */
  private static final int PI_PLACES = 1_400;

  private static final BigInteger LONG_PI = pi(PI_PLACES);

  static final FixedPoint PI = new FixedPoint(LONG_PI.shiftRight(PI_PLACES - FixedPoint.PLACES));
  static final FixedPoint ROOT_OF_PI = PI.root();
  static final FixedPoint LN_2 = ln2();

  /** The constant of Euler and Mascheroni. */
  static final FixedPoint EULER =
      ratio(
          "57721566490153286060651209008240243104215933593992359880576723488486772677766467093694"
              + "7063291746749514631447249807082480960504",
          126);

  private ElementaryFunctions() {}

  /** A number below one by its decimal places. */
  private static FixedPoint ratio(String digits, int places) {
    return new FixedPoint(
        new BigInteger(digits).shiftLeft(FixedPoint.PLACES).divide(BigInteger.TEN.pow(places)));
  }

  /** Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239). */
  private static BigInteger pi(int places) {
    int guard = 32;
    return inverseTangent(5, places + guard)
        .shiftLeft(2)
        .subtract(inverseTangent(239, places + guard))
        .shiftRight(guard - 2);
  }

  private static BigInteger inverseTangent(long inverse, int places) {
    BigInteger power = BigInteger.ONE.shiftLeft(places).divide(BigInteger.valueOf(inverse));
    BigInteger square = BigInteger.valueOf(inverse * inverse);
    BigInteger sum = BigInteger.ZERO;
    for (long k = 1; power.signum() != 0; k += 2) {
      BigInteger term = power.divide(BigInteger.valueOf(k));
      sum = k % 4 == 1 ? sum.add(term) : sum.subtract(term);
      power = power.divide(square);
    }
    return sum;
  }

  /** 2 artanh(1/3) */
  private static FixedPoint ln2() {
    FixedPoint sum = FixedPoint.of(0L);
    FixedPoint power = FixedPoint.ONE.over(3);
    for (long k = 1; power.sign() != 0; k += 2) {
      sum = sum.plus(power.over(k));
      power = power.over(9);
    }
    return sum.scaled(1);
  }

  /**
   * A power of e.
   *
   * @param significand about one
   * @param exponent the power of two that it is multiplied with
   */
  record Exponential(FixedPoint significand, long exponent) {
    double value() {
      return significand.value(exponent);
    }

    /** The nearest double to this times a factor. */
    double times(FixedPoint factor) {
      return significand.times(factor).value(exponent);
    }
  }

  static Exponential exp(FixedPoint x) {
    long exponent = x.over(LN_2).rounded();
    int halvings = 8;
    FixedPoint small = x.minus(LN_2.times(exponent)).scaled(-halvings);
    FixedPoint sum = FixedPoint.ONE;
    FixedPoint term = FixedPoint.ONE;
    for (long k = 1; term.sign() != 0; k++) {
      term = term.times(small).over(k);
      sum = sum.plus(term);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.times(sum);
    }
    return new Exponential(sum, exponent);
  }

  /** The natural logarithm of a positive number of any size. */
  static FixedPoint log(double x) {
    int exponent = Math.getExponent(x);
    return exponent < Double.MIN_EXPONENT
        ? log(x * 0x1p64).minus(LN_2.times(Long.SIZE))
        : log(FixedPoint.of(Math.scalb(x, -exponent))).plus(LN_2.times(exponent));
  }

  /** The natural logarithm of a positive number. */
  static FixedPoint log(FixedPoint x) {
    int exponent = x.units().bitLength() - 1 - FixedPoint.PLACES;
    FixedPoint significand = x.scaled(-exponent);
    FixedPoint log = FixedPoint.of(Math.log(significand.value()));
    for (int i = 0; i < 2; i++) {
      Exponential power = exp(log);
      FixedPoint e = power.significand.scaled((int) power.exponent);
      log = log.plus(significand.minus(e).over(significand.plus(e)).scaled(1));
    }
    return log.plus(LN_2.times(exponent));
  }

  /** Sine and cosine of one number. */
  record SineAndCosine(FixedPoint sine, FixedPoint cosine) {}

  /** Sine and cosine of a positive number of any size. */
  static SineAndCosine sineAndCosine(double x) {
    int exponent = Math.getExponent(x) - 52;
    BigInteger exact = BigInteger.valueOf((long) Math.scalb(x, -exponent));
    BigInteger[] quarters =
        exact.shiftLeft(exponent + PI_PLACES).divideAndRemainder(LONG_PI.shiftRight(1));
    FixedPoint rest = new FixedPoint(quarters[1].shiftRight(PI_PLACES - FixedPoint.PLACES));
    SineAndCosine turned = new SineAndCosine(series(rest, 1), series(rest, 0));
    for (int i = quarters[0].intValue() & 3; i > 0; i--) {
      turned = new SineAndCosine(turned.cosine, turned.sine.negated());
    }
    return turned;
  }

  /** The sine of pi times a number between -1 and 1. */
  static FixedPoint sineOfPi(double x) {
    return series(PI.times(FixedPoint.of(x)), 1);
  }

  /** The series of sine (1) or cosine (0). */
  private static FixedPoint series(FixedPoint x, int first) {
    FixedPoint square = x.times(x);
    FixedPoint term = first == 1 ? x : FixedPoint.ONE;
    FixedPoint sum = term;
    for (long k = first + 2L; term.sign() != 0 && term.units().bitLength() > 1; k += 2) {
      term = term.times(square).over(k * (k - 1)).negated();
      sum = sum.plus(term);
    }
    return sum;
  }
}

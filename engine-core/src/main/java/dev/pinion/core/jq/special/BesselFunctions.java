package dev.pinion.core.jq.special;

import java.util.function.LongConsumer;

/**
 * The Bessel functions of integer order, of the first (J) and second (Y) kind: by their power
 * series up to a bound and by Hankel's expansion beyond it; other orders follow by recurrence.
 */
public final class BesselFunctions {
  /** Up to here the power series is used; beyond, Hankel's expansion has more digits. */
  private static final double LARGE = 45;

  /** Below this, the first term of each series is all of it. */
  private static final double TINY = 1e-20;

  /** Logarithm below which a value is smaller than any double. */
  private static final double VANISHING = -750;

  /** Orders whose values are worth their computation, however small. */
  private static final long SMALL_ORDER = 100;

  /** Bits of values that no double can hold. */
  private static final int OVERFLOW_BITS = FixedPoint.PLACES + 1_100;

  private BesselFunctions() {}

  /** J of order 0 or 1. */
  public static double j(int order, double x) {
    return j(order, x, steps -> {});
  }

  /** Y of order 0 or 1. */
  public static double y(int order, double x) {
    return y(order, x, steps -> {});
  }

  /**
   * J of any order.
   *
   * @param work told the number of steps before they are taken
   */
  public static double j(int order, double x, LongConsumer work) {
    if (Double.isNaN(x)) {
      return x;
    }
    double sign = order % 2 != 0 && (order < 0) != (x < 0) ? -1 : 1;
    long n = Math.abs((long) order);
    double positive = Math.abs(x);
    if (Double.isInfinite(x) || (n > 0 && positive == 0)) {
      return 0;
    }
    if (n == 1 && positive < TINY) {
      return sign * (positive / 2);
    }
    return sign * (positive <= LARGE ? series(n, positive) : far(n, positive, work));
  }

  /**
   * Y of any order; minus infinity at 0, NaN below.
   *
   * @param work told the number of steps before they are taken
   */
  public static double y(int order, double x, LongConsumer work) {
    if (Double.isNaN(x) || x < 0) {
      return Double.NaN;
    }
    long n = Math.abs((long) order);
    double sign = order < 0 && n % 2 == 1 ? -1 : 1;
    if (x == 0) {
      return sign * Double.NEGATIVE_INFINITY;
    }
    if (Double.isInfinite(x)) {
      return 0;
    }
    if (x <= LARGE) {
      return sign * near(n, x, work);
    }
    Hankel hankel = new Hankel(x);
    FixedPoint value =
        n < 2 ? hankel.second(n) : ascend(n, x, hankel.second(0), hankel.second(1), work);
    return sign * hankel.scale(value);
  }

  /** Whether a value of this order and argument is smaller than any double. */
  private static boolean vanishes(long n, double x) {
    return n > SMALL_ORDER
        && n > x
        && n * Math.log(x / 2) - GammaFunction.logGamma(n + 1.0) < VANISHING;
  }

  /** (x/2)ⁿ / n! */
  private static ElementaryFunctions.Exponential prefactor(long n, double x) {
    FixedPoint log = ElementaryFunctions.log(x).minus(ElementaryFunctions.LN_2);
    return ElementaryFunctions.exp(log.times(n).minus(GammaFunction.log(FixedPoint.of(n + 1))));
  }

  private static double series(long n, double x) {
    if (vanishes(n, x)) {
      return 0;
    }
    FixedPoint sum = sum(n, FixedPoint.of(x));
    return switch ((int) Math.min(n, 2)) {
      case 0 -> sum.value();
      case 1 -> sum.times(FixedPoint.of(x)).value(-1);
      default -> prefactor(n, x).times(sum);
    };
  }

  /** The sum of (-x²/4)ᵏ / (k! (n + 1) (n + 2) … (n + k)). */
  private static FixedPoint sum(long n, FixedPoint x) {
    FixedPoint quarter = x.times(x).scaled(-2);
    FixedPoint term = FixedPoint.ONE;
    FixedPoint sum = term;
    for (long k = 1; term.sign() != 0; k++) {
      term = term.times(quarter).over(k).over(n + k);
      sum = k % 2 == 0 ? sum.plus(term) : sum.minus(term);
    }
    return sum;
  }

  /** J beyond the power series: upwards while that is stable, else downwards. */
  private static double far(long n, double x, LongConsumer work) {
    if (vanishes(n, x)) {
      return 0;
    }
    if (n > x) {
      return descend(n, x, work);
    }
    Hankel hankel = new Hankel(x);
    return hankel.scale(
        n < 2 ? hankel.first(n) : ascend(n, x, hankel.first(0), hankel.first(1), work));
  }

  /** The value of an order from 2 on, from those of orders 0 and 1. */
  private static FixedPoint ascend(
      long n, double x, FixedPoint zeroth, FixedPoint first, LongConsumer work) {
    work.accept(n);
    FixedPoint divisor = FixedPoint.of(x);
    FixedPoint before = zeroth;
    FixedPoint value = first;
    for (long k = 1; k < n && value.units().bitLength() < OVERFLOW_BITS; k++) {
      FixedPoint next = value.times(2 * k).over(divisor).minus(before);
      before = value;
      value = next;
    }
    return value;
  }

  /** Miller: starts far above the order and divides by J0 + 2 J2 + 2 J4 + …, which is one. */
  private static double descend(long n, double x, LongConsumer work) {
    long start = 2 * ((n + 40 + (long) Math.sqrt(200.0 * n)) / 2);
    work.accept(start);
    FixedPoint divisor = FixedPoint.of(x);
    FixedPoint above = FixedPoint.of(0L);
    FixedPoint value = FixedPoint.ONE;
    FixedPoint wanted = value;
    FixedPoint sum = FixedPoint.of(0L);
    for (long k = start; k > 0; k--) {
      FixedPoint below = value.times(2 * k).over(divisor).minus(above);
      above = value;
      value = below;
      if (k - 1 == n) {
        wanted = value;
      }
      if (k % 2 == 1 && k > 1) {
        sum = sum.plus(value);
      }
    }
    FixedPoint whole = sum.scaled(1).plus(value);
    int shift = Math.max(0, whole.units().bitLength() - wanted.units().bitLength());
    return wanted.scaled(shift).over(whole).value(-shift);
  }

  private static double near(long n, double x, LongConsumer work) {
    FixedPoint log = ElementaryFunctions.log(x).minus(ElementaryFunctions.LN_2);
    if (x < TINY && n > 0) {
      return -ElementaryFunctions.exp(GammaFunction.log(FixedPoint.of(n)).minus(log.times(n)))
          .times(FixedPoint.ONE.over(ElementaryFunctions.PI));
    }
    FixedPoint exact = FixedPoint.of(x);
    return switch ((int) Math.min(n, 2)) {
      case 0 -> zeroth(exact, log).value();
      case 1 -> first(exact, log).value();
      default -> ascend(n, x, zeroth(exact, log), first(exact, log), work).value();
    };
  }

  /** Y0 by its series, which has the logarithm of x/2 and harmonic numbers. */
  private static FixedPoint zeroth(FixedPoint x, FixedPoint log) {
    FixedPoint quarter = x.times(x).scaled(-2);
    FixedPoint term = FixedPoint.ONE;
    FixedPoint harmonic = FixedPoint.of(0L);
    FixedPoint sum = log.plus(ElementaryFunctions.EULER).times(sum(0, x));
    for (long k = 1; term.sign() != 0; k++) {
      term = term.times(quarter).over(k).over(k);
      harmonic = harmonic.plus(FixedPoint.ONE.over(k));
      FixedPoint part = term.times(harmonic);
      sum = k % 2 == 1 ? sum.plus(part) : sum.minus(part);
    }
    return sum.scaled(1).over(ElementaryFunctions.PI);
  }

  /** Y1 by its series. */
  private static FixedPoint first(FixedPoint x, FixedPoint log) {
    FixedPoint half = x.scaled(-1);
    FixedPoint quarter = half.times(half);
    FixedPoint twice = log.plus(ElementaryFunctions.EULER).scaled(1);
    FixedPoint term = half;
    FixedPoint harmonics = FixedPoint.ONE;
    FixedPoint sum = FixedPoint.of(0L);
    for (long k = 0; term.sign() != 0; k++) {
      FixedPoint part = term.times(twice.minus(harmonics));
      sum = k % 2 == 0 ? sum.plus(part) : sum.minus(part);
      term = term.times(quarter).over(k + 1).over(k + 2);
      harmonics = harmonics.plus(FixedPoint.ONE.over(k + 1)).plus(FixedPoint.ONE.over(k + 2));
    }
    return sum.minus(FixedPoint.ONE.over(half)).over(ElementaryFunctions.PI);
  }
}

package dev.pinion.core.jq.special;

import java.math.BigInteger;

/**
 * A number with 192 binary places: what is lost by cancellation in a series is far behind the last
 * digit of a double.
 *
 * @param units the number times 2 to the 192
 */
record FixedPoint(BigInteger units) {
  static final int PLACES = 192;
  static final FixedPoint ONE = of(1L);

  /** Bits of a double's significand. */
  private static final int SIGNIFICAND = 53;

  static FixedPoint of(long value) {
    return new FixedPoint(BigInteger.valueOf(value).shiftLeft(PLACES));
  }

  /** A finite double; exact unless it is smaller than the places can hold. */
  static FixedPoint of(double value) {
    int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - SIGNIFICAND + 1;
    long significand = (long) Math.scalb(value, -exponent);
    return new FixedPoint(BigInteger.valueOf(significand).shiftLeft(exponent + PLACES));
  }

  FixedPoint plus(FixedPoint other) {
    return new FixedPoint(units.add(other.units));
  }

  FixedPoint minus(FixedPoint other) {
    return new FixedPoint(units.subtract(other.units));
  }

  FixedPoint times(FixedPoint other) {
    return new FixedPoint(units.multiply(other.units).shiftRight(PLACES));
  }

  FixedPoint times(long factor) {
    return new FixedPoint(units.multiply(BigInteger.valueOf(factor)));
  }

  FixedPoint over(FixedPoint divisor) {
    return new FixedPoint(units.shiftLeft(PLACES).divide(divisor.units));
  }

  FixedPoint over(long divisor) {
    return new FixedPoint(units.divide(BigInteger.valueOf(divisor)));
  }

  /** This number times a power of two. */
  FixedPoint scaled(int exponent) {
    return new FixedPoint(units.shiftLeft(exponent));
  }

  FixedPoint negated() {
    return new FixedPoint(units.negate());
  }

  FixedPoint absolute() {
    return new FixedPoint(units.abs());
  }

  /** The root of a number that is not negative. */
  FixedPoint root() {
    return new FixedPoint(units.shiftLeft(PLACES).sqrt());
  }

  int sign() {
    return units.signum();
  }

  boolean isLess(FixedPoint other) {
    return units.compareTo(other.units) < 0;
  }

  /** The nearest integer. */
  long rounded() {
    return units.add(BigInteger.ONE.shiftLeft(PLACES - 1)).shiftRight(PLACES).longValue();
  }

  /** The nearest double. */
  double value() {
    return value(0);
  }

  /** The nearest double to this number times a power of two. */
  double value(long exponent) {
    int excess = Math.max(0, units.bitLength() - Long.SIZE * 2);
    double significand = units.shiftRight(excess).doubleValue();
    return Math.scalb(significand, Math.clamp(exponent + excess - PLACES, -5_000, 5_000));
  }
}

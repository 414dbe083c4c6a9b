package dev.pinion.broker.binding;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spreads numbers evenly over the unsigned 64-bit range: each is the one before plus a constant
 * {@code alpha}, the fraction of the square root of a prime. The count of n numbers in an interval
 * is never far from its part of n, and counters with different primes are practically independent,
 * unlike those with a common constant. Thread-safe; one atomic addition.
 *
 * <p>The sequence is Kronecker's: multiples of an irrational number, modulo 1.
 */
public final class KroneckerCounter {
  private static final int BITS = 64;

  private final long alpha;
  private final AtomicLong state;

  /**
   * A counter.
   *
   * @param alpha difference of each number from the previous one, from {@link #alpha(int)}
   * @param start the first number; random, so that the counters of several nodes differ
   */
  public KroneckerCounter(long alpha, long start) {
    this.alpha = alpha;
    state = new AtomicLong(start);
  }

  /** The next number, unsigned. */
  public long next() {
    return state.getAndAdd(alpha);
  }

  /** The constant of this counter. */
  long alpha() {
    return alpha;
  }

  /**
   * The fraction of the square root of a prime, times 2^64.
   *
   * @param index number of the prime, from 0
   */
  public static long alpha(int index) {
    BigInteger prime = BigInteger.TWO;
    for (int i = 0; i < index; i++) {
      prime = prime.nextProbablePrime();
    }
    return prime.shiftLeft(2 * BITS).sqrt().longValue(); // the whole part overflows
  }
}

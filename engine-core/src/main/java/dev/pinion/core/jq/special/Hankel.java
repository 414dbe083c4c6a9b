package dev.pinion.core.jq.special;

import dev.pinion.core.jq.special.ElementaryFunctions.SineAndCosine;

/** Hankel's expansion of the Bessel functions of orders 0 and 1 for one large argument. */
final class Hankel {
  private final double x;
  private final SineAndCosine phase;

  Hankel(double x) {
    this.x = x;
    SineAndCosine of = ElementaryFunctions.sineAndCosine(x);
    // The sine and cosine of x - π/4, times √2.
    this.phase = new SineAndCosine(of.sine().minus(of.cosine()), of.sine().plus(of.cosine()));
  }

  /** J of order 0 or 1, not yet scaled. */
  FixedPoint first(long order) {
    Sums sums = new Sums(order, x);
    SineAndCosine turned = turned(order);
    return sums.even.times(turned.cosine()).minus(sums.odd.times(turned.sine()));
  }

  /** Y of order 0 or 1, not yet scaled. */
  FixedPoint second(long order) {
    Sums sums = new Sums(order, x);
    SineAndCosine turned = turned(order);
    return sums.even.times(turned.sine()).plus(sums.odd.times(turned.cosine()));
  }

  private SineAndCosine turned(long order) {
    return order == 0 ? phase : new SineAndCosine(phase.cosine().negated(), phase.sine());
  }

  /** A value times 1 / √(π x). */
  double scale(FixedPoint value) {
    int half = Math.getExponent(x) >> 1;
    FixedPoint reduced = FixedPoint.of(Math.scalb(x, -2 * half));
    FixedPoint root = reduced.times(ElementaryFunctions.PI).root();
    return value.over(root).value(-half);
  }

  /** The sums of the even and of the odd terms, with alternating signs. */
  private static final class Sums {
    FixedPoint even = FixedPoint.ONE;
    FixedPoint odd = FixedPoint.of(0L);

    Sums(long order, double x) {
      FixedPoint inverse = FixedPoint.ONE.over(FixedPoint.of(x)).scaled(-3);
      FixedPoint term = FixedPoint.ONE;
      for (long k = 1; ; k++) {
        long twice = 2 * k - 1;
        FixedPoint next = term.times(4 * order * order - twice * twice).times(inverse).over(k);
        if (next.sign() == 0 || next.units().bitLength() <= 1 || !isSmaller(next, term)) {
          return;
        }
        term = next;
        add(k, term);
      }
    }

    private static boolean isSmaller(FixedPoint a, FixedPoint b) {
      return a.absolute().isLess(b.absolute());
    }

    private void add(long k, FixedPoint term) {
      boolean negative = k % 4 >= 2;
      if (k % 2 == 0) {
        even = negative ? even.minus(term) : even.plus(term);
      } else {
        odd = negative ? odd.minus(term) : odd.plus(term);
      }
    }
  }
}

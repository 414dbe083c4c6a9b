package dev.pinion.core.kernel.listen;

import java.util.Arrays;

/** Positions that are added mostly in ascending order, as pairs of first and last position. */
final class PositionRanges {
  private static final int FIRST = 8;
  private static final long[] NONE = {};

  private long[] pairs = new long[FIRST];
  private int size;

  void add(long position) {
    if (size > 0 && position == pairs[size - 1] + 1) {
      pairs[size - 1] = position;
    } else if (size == 0 || position < pairs[size - 2] || position > pairs[size - 1]) {
      add(position, position);
    }
  }

  private void add(long first, long last) {
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, size * 2);
    }
    pairs[size++] = first;
    pairs[size++] = last;
  }

  /** Adds pairs of first and last position. */
  void addAll(long[] more) {
    for (int i = 0; i + 1 < more.length; i += 2) {
      add(more[i], more[i + 1]);
    }
  }

  boolean isPresent() {
    return size > 0;
  }

  /** Removes and returns the pairs. */
  long[] take() {
    if (size == 0) {
      return NONE;
    }
    long[] taken = Arrays.copyOf(pairs, size);
    pairs = new long[FIRST];
    size = 0;
    return taken;
  }
}

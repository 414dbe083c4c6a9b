package dev.pinion.core.difference;

/**
 * A part of two sequences that differs: items {@code [from, fromEnd)} of the first stand where the
 * second has {@code [to, toEnd)}. One of the two may be empty.
 */
record Edit(int from, int fromEnd, int to, int toEnd) {
  /** Items of the first that are gone. */
  int removed() {
    return fromEnd - from;
  }

  /** Items of the second that are new. */
  int added() {
    return toEnd - to;
  }
}

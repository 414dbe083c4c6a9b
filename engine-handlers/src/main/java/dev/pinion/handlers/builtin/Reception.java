package dev.pinion.handlers.builtin;

import org.jspecify.annotations.Nullable;

/**
 * Treatment of a message that may be a duplicate.
 *
 * @param kind its state so far
 * @param answer the answer that acknowledged it; null unless it was acknowledged
 */
record Reception(Kind kind, @Nullable KeptAnswer answer) {
  static final Reception NEW = new Reception(Kind.NEW, null);
  static final Reception AGAIN = new Reception(Kind.AGAIN, null);
  static final Reception UNDER_WAY = new Reception(Kind.UNDER_WAY, null);
  static final Reception ANOTHER = new Reception(Kind.ANOTHER, null);
  static final Reception FULL = new Reception(Kind.FULL, null);

  static Reception acknowledged(KeptAnswer answer) {
    return new Reception(Kind.ACKNOWLEDGED, answer);
  }

  /** State of a received message. */
  enum Kind {
    /** Never seen before, and recorded now. */
    NEW,
    /** Seen before, but not acknowledged in time: it is accepted again. */
    AGAIN,
    /** Seen before, and perhaps still under way. */
    UNDER_WAY,
    /** Seen before and acknowledged. */
    ACKNOWLEDGED,
    /** Its id belongs to another message. */
    ANOTHER,
    /** Never seen before, and no more can be recorded. */
    FULL
  }
}

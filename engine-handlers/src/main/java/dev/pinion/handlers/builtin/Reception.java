package dev.pinion.handlers.builtin;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message that may have come before.
 *
 * @param kind what is known of it
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

  /** What is known of a message. */
  enum Kind {
    /** It was never seen, and is now. */
    NEW,
    /**
     * It came before and was not acknowledged within the time for that: it is let through again.
     */
    AGAIN,
    /** It came before and may still be under way. */
    UNDER_WAY,
    /** It came before and was acknowledged. */
    ACKNOWLEDGED,
    /** Another message came with its id. */
    ANOTHER,
    /** It was never seen, and no more can be remembered. */
    FULL
  }
}

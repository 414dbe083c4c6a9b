package dev.pinion.handlers.builtin.state;

import org.jspecify.annotations.Nullable;

/**
 * Treatment of a message that may be a duplicate.
 *
 * @param kind its state so far
 * @param answer the answer that acknowledged it; null unless it was acknowledged
 */
record MessageReceipt(ReceiptStatus kind, @Nullable StoredResponse answer) {
  static final MessageReceipt NEW = new MessageReceipt(ReceiptStatus.NEW, null);
  static final MessageReceipt REDELIVERED = new MessageReceipt(ReceiptStatus.AGAIN, null);
  static final MessageReceipt UNDER_WAY = new MessageReceipt(ReceiptStatus.UNDER_WAY, null);
  static final MessageReceipt ID_REUSED = new MessageReceipt(ReceiptStatus.ANOTHER, null);
  static final MessageReceipt FULL = new MessageReceipt(ReceiptStatus.FULL, null);

  static MessageReceipt acknowledged(StoredResponse answer) {
    return new MessageReceipt(ReceiptStatus.ACKNOWLEDGED, answer);
  }

  /** State of a received message. */
  enum ReceiptStatus {
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

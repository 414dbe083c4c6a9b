package dev.pinion.core.kernel.step;

/**
 * How far a task that receives messages has come. Stored by position, so new ones come last.
 *
 * <pre>
 *   BEGINNING ──▶ CHECKING ──▶ ASKING ──▶ RECEIVING ──▶ RECEIVED ──▶ (ITERATING ──▶ ENDING) ─┐
 *                  ▲  │          ▲                        │                                  │
 *                  │  │          └── does not pass ───────┘                                  │
 *                  └──│──────────────────────────────────────────────────────────────────────┘
 *                     └ enough ──▶ CLOSING ──▶ LEAVING ──▶ CLOSED ──▶ output
 * </pre>
 */
enum SubscriptionStep {
  /** About to set the timer of the whole subscription. */
  BEGINNING,
  /** About to decide whether it goes on. */
  CHECKING,
  /** About to ask for the next message. */
  ASKING,
  /** Waiting for the next message. */
  RECEIVING,
  /** About to look at a message. */
  RECEIVED,
  /** Running the tasks for a message. */
  ITERATING,
  /** About to transform their output. */
  ENDING,
  /** About to end the subscription. */
  CLOSING,
  /** Waiting for the end of the subscription. */
  LEAVING,
  /** About to put out what it has. */
  CLOSED;

  private static final SubscriptionStep[] ALL = values();

  /** The step at which an activity is. */
  static SubscriptionStep of(Activity activity) {
    return ALL[activity.open];
  }
}

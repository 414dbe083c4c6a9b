package dev.pinion.core.kernel.step.event;

/**
 * How far a task that receives messages has come. Stored by number.
 *
 * <pre>
 *   BEGINNING ──▶ CHECKING ──▶ ASKING ──▶ RECEIVING ──▶ RECEIVED ──▶ (ITERATING ──▶ ENDING) ─┐
 *                  ▲  │          ▲                        │                                  │
 *                  │  │          └── does not pass ───────┘                                  │
 *                  └──│──────────────────────────────────────────────────────────────────────┘
 *                     └ enough ──▶ CLOSING ──▶ LEAVING ──▶ CLOSED ──▶ output
 * </pre>
 */
public enum SubscriptionStep {
  /** About to set the timer of the whole subscription. */
  BEGINNING(0),
  /** About to decide whether it goes on. */
  CHECKING(1),
  /** About to ask for the next message. */
  ASKING(2),
  /** Waiting for the next message. */
  RECEIVING(3),
  /** About to look at a message. */
  RECEIVED(4),
  /** Running the tasks for a message. */
  ITERATING(5),
  /** About to transform their output. */
  ENDING(6),
  /** About to end the subscription. */
  CLOSING(7),
  /** Waiting for the end of the subscription. */
  LEAVING(8),
  /** About to put out what it has. */
  CLOSED(9);

  private static final SubscriptionStep[] ALL = values();

  private final int number;

  SubscriptionStep(int number) {
    this.number = number;
  }

  /** The step with a number. */
  public static SubscriptionStep of(int number) {
    return ALL[number];
  }

  /** Its position among all, by which it is stored. */
  public int number() {
    return number;
  }
}

package dev.pinion.core.request;

/** Counts the lists that one handler makes concurrently. Event loop only. */
final class ListsUnderWay {
  /** Concurrent lists; a further one is answered 503. */
  static final int MAX = 64;

  private int count;

  /**
   * Counts a list until its exchange has ended.
   *
   * @throws Refusal when there are too many
   */
  void begin(Exchange exchange) throws Refusal {
    if (count >= MAX) {
      throw new Refusal(Problem.overload("lists under way"));
    }
    count++;
    exchange.afterwards(() -> count--);
  }
}

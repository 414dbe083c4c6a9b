package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;

/** Counts the lists that one handler makes concurrently. Event loop only. */
final class ListConcurrencyLimit {
  /** Concurrent lists; a further one is answered 503. */
  static final int MAX = 64;

  private int count;

  /**
   * Counts a list until its exchange has ended.
   *
   * @throws ProblemException when there are too many
   */
  void acquire(HttpExchange httpExchange) throws ProblemException {
    if (count >= MAX) {
      throw new ProblemException(Problem.overload("lists under way"));
    }
    count++;
    httpExchange.onEnd(() -> count--);
  }
}

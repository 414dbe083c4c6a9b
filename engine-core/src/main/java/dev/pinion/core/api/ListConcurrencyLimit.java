package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;

/** Counts the lists that one handler makes concurrently. Event loop only. */
final class ListConcurrencyLimit {
  private final int most;
  private int count;

  /**
   * No list yet.
   *
   * @param most most concurrent lists; a further one is answered 503
   */
  ListConcurrencyLimit(int most) {
    this.most = most;
  }

  /**
   * Counts a list until its exchange has ended.
   *
   * @throws ProblemException when there are too many
   */
  void acquire(HttpExchange httpExchange) throws ProblemException {
    if (count >= most) {
      throw new ProblemException(Problem.overload("lists under way"));
    }
    count++;
    httpExchange.onEnd(() -> count--);
  }
}

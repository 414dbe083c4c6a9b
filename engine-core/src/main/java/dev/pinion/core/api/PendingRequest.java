package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Reply;
import dev.pinion.core.stage.Stage;

/**
 * A request that waits for kernels. Owned by the event loop of its Request Handler.
 *
 * @param <R> the replies that it may get
 */
abstract class PendingRequest<R extends Reply> implements HttpExchange.Wait {
  /** Number of a request that does not wait yet. */
  static final long NO_NUMBER = -1;

  private final HttpExchange httpExchange;
  long number = NO_NUMBER;
  long deadlineNanos = Stage.NO_DEADLINE;

  /** The time to wait, until the next duty cycle computes a deadline; 0 for none. */
  long waitMillis;

  PendingRequest(HttpExchange httpExchange) {
    this.httpExchange = httpExchange;
  }

  HttpExchange exchange() {
    return httpExchange;
  }

  /** Handles a reply, which came to an address of this request. */
  @SuppressWarnings("unchecked") // an address accepts only replies of its type
  final void handle(Reply reply) throws ProblemException {
    onReply((R) reply);
  }

  /** Handles the reply of a kernel. */
  abstract void onReply(R reply) throws ProblemException;

  /** Handles the end of the wait. */
  void onDeadline() throws ProblemException {}

  /** Handles the end of the replica before that of the instance. */
  void onShutdown() throws ProblemException {
    throw new ProblemException(Problem.lostAtShutdown());
  }
}

package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
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
  private final RequestContext context;
  long number = NO_NUMBER;
  long deadlineNanos = Stage.NO_DEADLINE;

  /** The time to wait, until the next duty cycle computes a deadline; 0 for none. */
  long waitMillis;

  PendingRequest(HttpExchange httpExchange, RequestContext context) {
    this.httpExchange = httpExchange;
    this.context = context;
  }

  HttpExchange exchange() {
    return httpExchange;
  }

  RequestContext context() {
    return context;
  }

  /**
   * Waits for the replies of kernels until the exchange ends or waits for something else.
   *
   * @param millis time until {@link #onDeadline}; 0 for none
   */
  void await(long millis) {
    httpExchange.waitFor(this);
    context.pending().add(this, millis);
  }

  @Override
  public void abandon() {
    context.pending().remove(this);
  }

  /** The receiver of replies, after {@link #await}. */
  ReplyAddress<R> replyTo() {
    return context.addressOf(number);
  }

  /** Handles a reply to {@link #replyTo}, which is the only source of the addresses of replies. */
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

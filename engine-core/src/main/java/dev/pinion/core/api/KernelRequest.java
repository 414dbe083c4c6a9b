package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;

/**
 * A request that asks kernels. Owned by the event loop of its Request Handler.
 *
 * @param <R> the replies that it may get
 */
abstract class KernelRequest<R extends Reply> extends PendingRequest<R> {
  private final RequestContext context;

  KernelRequest(HttpExchange httpExchange, RequestContext context) {
    super(httpExchange);
    this.context = context;
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
    exchange().waitFor(this);
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
}

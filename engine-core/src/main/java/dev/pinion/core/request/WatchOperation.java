package dev.pinion.core.request;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;

/**
 * One look at an instance as soon as it differs from what the client knows by its {@code
 * If-None-Match}, has ended, or the wait is over (long polling).
 */
final class WatchOperation extends Inquiry {
  private final RequestHandler handler;
  private final InstanceId id;
  private final InstanceOperation.View view;
  private boolean waitOver;

  WatchOperation(
      Exchange exchange, RequestHandler handler, InstanceId id, InstanceOperation.View view) {
    super(exchange);
    this.handler = handler;
    this.id = id;
    this.view = view;
  }

  /**
   * Asks the kernel that owns the instance.
   *
   * @param patienceMillis how long to wait for a change
   */
  void ask(long patienceMillis) throws Refusal {
    exchange().await(this, patienceMillis);
    offer(new KernelQuery.GetInstance(id, false, replyTo()));
  }

  private ReplyAddress replyTo() {
    return new ReplyAddress(handler.index(), number);
  }

  private void offer(KernelQuery question) throws Refusal {
    if (!handler.ports().kernels().offer(question)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    switch (reply) {
      case KernelReply.Found found -> onView(found.instance());
      case KernelReply.NotFound _ -> throw InstanceEndpoints.notFound(id.toString());
      case KernelReply.Elsewhere _ -> throw InstanceEndpoints.moves();
      default -> throw new IllegalStateException("expected a view of an instance, found " + reply);
    }
  }

  private void onView(InstanceView instance) throws Refusal {
    if (waitOver || instance.state().isTerminal() || !isKnown(instance)) {
      view.show(exchange(), instance);
    } else {
      offer(new KernelQuery.WatchInstance(id, instance.sequence(), instance.state(), replyTo()));
    }
  }

  private boolean isKnown(InstanceView instance) {
    return Conditions.matches(
        exchange().headers("if-none-match"), InstanceRendering.etag(instance));
  }

  /** Nothing has changed: look at the instance as it is. */
  @Override
  void onDeadline() throws Refusal {
    waitOver = true;
    offer(new KernelQuery.GetInstance(id, false, replyTo()));
  }
}

package dev.pinion.core.request;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;

/** One look at an instance, now or when it ends. */
final class InstanceOperation extends Inquiry {
  private final RequestHandler handler;
  private final PastInstances past;
  private final InstanceId id;
  private final View view;

  /** What a look shows. */
  @FunctionalInterface
  interface View {
    void show(Exchange exchange, InstanceView instance) throws Refusal;
  }

  InstanceOperation(
      Exchange exchange, RequestHandler handler, PastInstances past, InstanceId id, View view) {
    super(exchange);
    this.past = past;
    this.handler = handler;
    this.id = id;
    this.view = view;
  }

  /**
   * Asks the kernel that owns the instance.
   *
   * @param patienceMillis how long to wait for the end; 0 to look now
   */
  void ask(long patienceMillis) throws Refusal {
    exchange().await(this, patienceMillis);
    offer(patienceMillis > 0);
  }

  private void offer(boolean awaitEnd) throws Refusal {
    KernelQuery question =
        new KernelQuery.GetInstance(id, awaitEnd, new ReplyAddress(handler.index(), number));
    if (!handler.ports().kernels().offer(question)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    switch (reply) {
      case KernelReply.Found found -> view.show(exchange(), found.instance());
      case KernelReply.Ended ended -> view.show(exchange(), ended.instance());
      case KernelReply.NotFound _ -> past.ask(exchange(), id, false, view);
      case KernelReply.Forgotten _ -> past.ask(exchange(), id, true, view);
      case KernelReply.Elsewhere _ -> throw InstanceEndpoints.moves();
      case KernelReply.Accepted _,
          KernelReply.Page _,
          KernelReply.Controlled _,
          KernelReply.AlreadyEnded _,
          KernelReply.Refused _,
          KernelReply.DiskFull _,
          KernelReply.KeyReused _,
          KernelReply.StillRunning _,
          KernelReply.NotJournalled _,
          KernelReply.NotPossible _,
          KernelReply.LateAnswerReceived _,
          KernelReply.UnknownDefinition _ ->
          throw new IllegalStateException("expected a view of an instance, found " + reply);
    }
  }

  /** The wait is over: look at the instance as it is. */
  @Override
  void onDeadline() throws Refusal {
    offer(false);
  }
}

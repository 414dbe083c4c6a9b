package dev.pinion.core.request;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;

/** One view of an instance, now or when it ends. */
final class InstanceOperation extends Inquiry {
  private final RequestHandler handler;
  private final PastInstances past;
  private final InstanceId id;
  private final View view;

  /** Whether the kernel is to report the end, and has not yet. */
  private boolean waiting;

  /** Shows an instance. */
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
   * @param patienceMillis time to wait for the end; 0 to read the instance now
   */
  void ask(long patienceMillis) throws Refusal {
    exchange().await(this, patienceMillis);
    offer(patienceMillis > 0);
    if (patienceMillis > 0) {
      waiting = true;
      exchange().afterwards(this::waitNoMore);
    }
  }

  /** Ends the kernel's wait, by another read: the client has gone, or is answered otherwise. */
  private void waitNoMore() {
    if (waiting && !handler.haveWaitsEnded()) {
      boolean _ = handler.ports().kernels().offer(question(false));
    }
  }

  private void offer(boolean awaitEnd) throws Refusal {
    if (!handler.ports().kernels().offer(question(awaitEnd))) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  private KernelQuery question(boolean awaitEnd) {
    return new KernelQuery.GetInstance(id, awaitEnd, new ReplyAddress(handler.index(), number));
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    waiting = false;
    switch (reply) {
      case KernelReply.Found found -> view.show(exchange(), found.instance());
      case KernelReply.Ended ended -> view.show(exchange(), ended.instance());
      case KernelReply.NotFound _ -> past.ask(exchange(), id, false, view);
      case KernelReply.Forgotten _ -> past.ask(exchange(), id, true, view);
      case KernelReply.Elsewhere _ -> throw InstanceEndpoints.moves();
      case KernelReply.Refused refused -> throw new Refusal(Problem.overload(refused.limit()));
      case KernelReply.Accepted _,
          KernelReply.Page _,
          KernelReply.Controlled _,
          KernelReply.AlreadyEnded _,
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

  /** Reads the instance as it is, because the wait is over. */
  @Override
  void onDeadline() throws Refusal {
    offer(false);
    waiting = false;
  }
}

package dev.pinion.core.request;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;

/** One cancellation. */
final class CancelOperation extends Inquiry {
  private final RequestHandler handler;
  private final InstanceRendering rendering;
  private final InstanceId id;

  CancelOperation(
      Exchange exchange, RequestHandler handler, InstanceRendering rendering, InstanceId id) {
    super(exchange);
    this.handler = handler;
    this.rendering = rendering;
    this.id = id;
  }

  void ask() throws Refusal {
    long request = exchange().await(this, 0);
    KernelEvent event = new KernelEvent.Cancel(id, new ReplyAddress(handler.index(), request));
    if (!handler.ports().kernels().offer(event)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    switch (reply) {
      case KernelReply.Cancelled cancelled -> accepted(cancelled.instance());
      case KernelReply.AlreadyEnded ended -> onAlreadyEnded(ended.instance());
      case KernelReply.NotFound _ -> throw InstanceEndpoints.notFound(id.toString());
      case KernelReply.Accepted _,
          KernelReply.Ended _,
          KernelReply.Found _,
          KernelReply.Page _,
          KernelReply.Refused _,
          KernelReply.DiskFull _,
          KernelReply.KeyReused _,
          KernelReply.StillRunning _,
          KernelReply.Forgotten _,
          KernelReply.NotJournalled _,
          KernelReply.UnknownDefinition _ ->
          throw new IllegalStateException("expected a reply to a cancellation, found " + reply);
    }
  }

  private void onAlreadyEnded(InstanceView view) throws Refusal {
    if (view.state() != InstanceState.CANCELLED) {
      throw new Refusal(
          Problem.of(
                  ProblemType.INSTANCE_ENDED,
                  "expected an instance that has not ended, found state " + view.state())
              .with("state", Payload.of(view.state().name())));
    }
    accepted(view);
  }

  private void accepted(InstanceView view) {
    rendering.brief(
        exchange(),
        view,
        202,
        answer -> answer.field("location", InstanceRendering.path(view.id())));
  }
}

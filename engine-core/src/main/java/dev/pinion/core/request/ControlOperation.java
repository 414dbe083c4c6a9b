package dev.pinion.core.request;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** One request of a client to cancel, suspend or resume an instance. */
final class ControlOperation extends Inquiry {
  private final RequestHandler handler;
  private final InstanceRendering rendering;
  private final PastInstances past;
  private final InstanceId id;
  private final Wish wish;
  private final @Nullable InstanceState end;

  /** The command to an instance. */
  interface Wish {
    KernelEvent.Control of(InstanceId id, ReplyAddress replyTo);
  }

  /**
   * A request.
   *
   * @param past answers for an instance that its kernel does not keep
   * @param wish the command
   * @param end the state that fulfils it when the instance has ended; null for none
   */
  ControlOperation(
      Exchange exchange,
      RequestHandler handler,
      InstanceRendering rendering,
      PastInstances past,
      InstanceId id,
      Wish wish,
      @Nullable InstanceState end) {
    super(exchange);
    this.handler = handler;
    this.rendering = rendering;
    this.past = past;
    this.id = id;
    this.wish = wish;
    this.end = end;
  }

  void ask() throws Refusal {
    long request = exchange().await(this, 0);
    KernelEvent event = wish.of(id, new ReplyAddress(handler.index(), request));
    if (!handler.ports().kernels().offer(event)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(KernelReply reply) throws Refusal {
    switch (reply) {
      case KernelReply.Controlled controlled -> accepted(controlled.instance());
      case KernelReply.AlreadyEnded ended -> onAlreadyEnded(ended.instance());
      case KernelReply.NotFound _ -> askThePast(false);
      case KernelReply.Forgotten _ -> askThePast(true);
      case KernelReply.Elsewhere _ -> throw InstanceEndpoints.moves();
      case KernelReply.Accepted _,
          KernelReply.Ended _,
          KernelReply.Found _,
          KernelReply.Page _,
          KernelReply.Refused _,
          KernelReply.DiskFull _,
          KernelReply.KeyReused _,
          KernelReply.StillRunning _,
          KernelReply.NotJournalled _,
          KernelReply.NotPossible _,
          KernelReply.LateAnswerReceived _,
          KernelReply.UnknownDefinition _ ->
          throw new IllegalStateException(
              "expected a reply about instance " + id + ", found " + reply);
    }
  }

  private void askThePast(boolean forgotten) throws Refusal {
    past.ask(exchange(), id, forgotten, (_, view) -> onAlreadyEnded(view));
  }

  private void onAlreadyEnded(InstanceView view) throws Refusal {
    if (view.state() != end) {
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

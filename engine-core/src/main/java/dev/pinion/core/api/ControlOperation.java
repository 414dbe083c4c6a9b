package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceResponses;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import org.jspecify.annotations.Nullable;

/** One request of a client to cancel, suspend or resume an instance. */
final class ControlOperation extends KernelRequest<Reply.ControlReply> {
  private final InstanceResponses rendering;
  private final HistoryLookup past;
  private final InstanceId id;
  private final ControlCommand controlCommand;
  private final @Nullable InstanceState end;

  /** The command to an instance. */
  interface ControlCommand {
    Command.InstanceControl of(InstanceId id, ReplyAddress<Reply.ControlReply> replyTo);
  }

  /**
   * A request.
   *
   * @param past answers for an instance that its kernel does not keep
   * @param controlCommand the command
   * @param end the state that fulfils it when the instance has ended; null for none
   */
  ControlOperation(
      HttpExchange httpExchange,
      RequestContext context,
      InstanceResponses rendering,
      HistoryLookup past,
      InstanceId id,
      ControlCommand controlCommand,
      @Nullable InstanceState end) {
    super(httpExchange, context);
    this.rendering = rendering;
    this.past = past;
    this.id = id;
    this.controlCommand = controlCommand;
    this.end = end;
  }

  void send() throws ProblemException {
    await(0);
    if (!context().kernels().offer(controlCommand.of(id, replyTo()))) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(Reply.ControlReply reply) throws ProblemException {
    switch (reply) {
      case Reply.Controlled controlled -> accepted(controlled.instance());
      case Reply.AlreadyEnded ended -> onAlreadyEnded(ended.instance());
      case Reply.NotFound _ -> askThePast(false);
      case Reply.Evicted _ -> askThePast(true);
      case Reply.NotOwner _ -> throw InstanceProblems.partitionMigrating();
    }
  }

  private void askThePast(boolean forgotten) throws ProblemException {
    past.ask(exchange(), id, forgotten, (_, view) -> onAlreadyEnded(view));
  }

  private void onAlreadyEnded(InstanceView view) throws ProblemException {
    if (view.state() != end) {
      throw new ProblemException(
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
        response -> response.field("location", InstanceResponses.path(view.id())));
  }
}

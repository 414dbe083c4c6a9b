package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceResponses;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Prefer;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One start, or one request to retry an instance or run it again: offered to a kernel, answered
 * when the instance ends or the wait is over.
 */
final class StartOperation extends KernelRequest<Reply.StartReply> {
  private final InstanceResponses rendering;
  private final HistoryLookup past;
  private final Prefer prefer;
  private final boolean faultAsHttp;
  private final long patienceMillis;
  private final InstanceState first;

  private @Nullable UnknownInstanceFallback unknownInstanceFallback;
  private Reply.@Nullable Accepted accepted;
  private boolean waitOver;
  private boolean ended;

  /** The command of the request. */
  interface StartCommand {
    /**
     * The command for a kernel.
     *
     * @param replyTo receiver of the outcome
     * @param awaitEnd whether the end of the instance is to be reported
     * @param join whether a repetition is to wait for an instance that is under way
     */
    Command of(ReplyAddress<Reply.StartReply> replyTo, boolean awaitEnd, boolean join);
  }

  /**
   * A request.
   *
   * @param past answers for an instance whose start is repeated after its kernel dropped it
   * @param faultAsHttp whether an instance that ends with an error is answered 502
   * @param defaultWaitMillis time to wait for the end when the client gives none
   * @param first state of an instance that has only been accepted
   */
  StartOperation(
      HttpExchange httpExchange,
      RequestContext context,
      InstanceResponses rendering,
      HistoryLookup past,
      boolean faultAsHttp,
      int defaultWaitMillis,
      InstanceState first) {
    super(httpExchange, context);
    this.rendering = rendering;
    this.past = past;
    this.faultAsHttp = faultAsHttp;
    this.first = first;
    this.prefer = Prefer.parse(httpExchange.headers("prefer"));
    this.patienceMillis = prefer.waitMillis(defaultWaitMillis, context.limits().maxWaitMillis());
    this.waitOver = patienceMillis == 0;
  }

  /** The step for an instance that its kernel does not have. */
  interface UnknownInstanceFallback {
    /**
     * Continues the request.
     *
     * @param forgotten whether the instance certainly existed
     */
    void goOn(boolean forgotten) throws ProblemException;
  }

  /** Sets another step for an instance that its kernel does not have. */
  StartOperation whenUnknown(UnknownInstanceFallback other) {
    unknownInstanceFallback = other;
    return this;
  }

  void offer(StartCommand startCommand) throws ProblemException {
    await(patienceMillis);
    if (!context().offer(startCommand.of(replyTo(), !waitOver, prefer.waitSeconds() > 0))) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
    context().startQueue().offered(number);
    if (prefer.waitSeconds() > 0) {
      exchange().onEnd(this::waitNoMore);
    }
  }

  /**
   * Ends the wait of a repetition: otherwise those of one key would fill the instance's waiters.
   */
  private void waitNoMore() {
    Reply.Accepted begun = accepted;
    if (begun != null && !ended && !context().haveWaitsEnded()) {
      boolean _ = context().kernels().offer(new Query.StopWaiting(begun.id(), replyTo()));
    }
  }

  @Override
  void onReply(Reply.StartReply reply) throws ProblemException {
    switch (reply) {
      case Reply.Accepted begun -> {
        accepted = begun;
        if (waitOver) {
          answer(begun);
        }
      }
      case Reply.Ended end -> {
        ended = true;
        onEnded(end.instance());
      }
      case Reply.NotOwner _ -> onMoved();
      case Reply.LimitReached limitReached ->
          throw new ProblemException(Problem.overload(limitReached.limit()));
      case Reply.JournalDiskFull _ -> throw new ProblemException(Problem.diskFull());
      case Reply.KeyReused _ ->
          throw new ProblemException(
              ProblemType.KEY_REUSED,
              "expected the body that this Idempotency-Key came with before, found another one; use"
                  + " another key for another start");
      case Reply.StillRunning running -> throw stillRunning(running.id());
      case Reply.Evicted evicted -> onForgotten(evicted);
      case Reply.NotDurable _ ->
          throw new ProblemException(
              ProblemType.NOT_JOURNALLED,
              "expected a definition whose durability is sync or async for a start with an"
                  + " Idempotency-Key, found none: a repetition after a crash would start it"
                  + " again");
      case Reply.StateConflict stateConflict -> onNotPossible(stateConflict);
      case Reply.UnknownDefinition unknown ->
          throw DefinitionEndpoints.notFound(unknown.definition().toString());
      case Reply.DefinitionDisabled disabled ->
          throw new ProblemException(
              ProblemType.DEFINITION_DISABLED,
              "expected a definition that is enabled, found that "
                  + disabled.definition()
                  + " is disabled; enable it, or start another version");
    }
  }

  private void onForgotten(Reply.Evicted reply) throws ProblemException {
    if (!reply.repeated() && accepted == null) {
      if (unknownInstanceFallback == null) {
        throw InstanceProblems.forgotten(reply.id());
      }
      unknownInstanceFallback.goOn(true);
      return;
    }
    past.ask(
        exchange(),
        reply.id(),
        true,
        (_, view) -> {
          if (patienceMillis == 0) {
            answer(new Reply.Accepted(view.id(), view.definition()));
          } else {
            onEnded(view);
          }
        });
  }

  private void onNotPossible(Reply.StateConflict reply) throws ProblemException {
    if (reply.instance() != null || unknownInstanceFallback == null) {
      throw notPossible(reply);
    }
    unknownInstanceFallback.goOn(false);
  }

  /** Answers with the id of an instance that was transferred; the other replica knows its end. */
  private void onMoved() throws ProblemException {
    Reply.Accepted begun = accepted;
    if (begun == null) {
      throw InstanceProblems.partitionMigrating();
    }
    answer(begun);
  }

  private static ProblemException notPossible(Reply.StateConflict reply) {
    InstanceView view = reply.instance();
    return view == null
        ? InstanceProblems.notFound(reply.id().toString())
        : InstanceProblems.inOtherState(reply.expected(), view);
  }

  private static ProblemException stillRunning(InstanceId running) {
    return new ProblemException(
        Problem.of(
                ProblemType.STILL_RUNNING,
                "the instance that was started with this Idempotency-Key has not ended; ask for it,"
                    + " or repeat the start with Prefer: wait=SECONDS to wait for its end")
            .with("id", Payload.of(running.toString()))
            .field("retry-after", "1")
            .field("location", InstanceResponses.path(running)));
  }

  /** A start that no kernel has accepted yet cannot be answered: it has no id. */
  @Override
  void onDeadline() {
    waitOver = true;
    Reply.Accepted begun = accepted;
    if (begun != null) {
      answer(begun);
    }
  }

  private void answer(Reply.Accepted begun) {
    ByteBuf body = exchange().scratch();
    rendering.json().writeAccepted(body, begun.id().toString(), begun.definition(), first);
    Response response =
        Response.of(202, MediaTypes.JSON, body)
            .field("location", InstanceResponses.path(begun.id()));
    exchange().respond(applied(response));
  }

  private void onEnded(InstanceView view) throws ProblemException {
    WorkflowError error = view.error();
    if (faultAsHttp && view.state() == InstanceState.FAULTED && error != null) {
      throw new ProblemException(
          Problem.of(ProblemType.INSTANCE_FAULT, "the instance ended with an error")
              .with("id", Payload.of(view.id().toString()))
              .with("error", error.toPayload()));
    }
    rendering.whole(exchange(), view, this::applied);
  }

  private Response applied(Response response) {
    String honoured = prefer.applied(context().limits().maxWaitMillis());
    return honoured.isEmpty() ? response : response.field("preference-applied", honoured);
  }
}

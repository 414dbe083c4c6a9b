package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceRenderer;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;

/** One view of an instance, now or when it ends. */
final class GetOperation extends KernelRequest<Reply.InstanceReply> {
  private final HistoryLookup past;
  private final InstanceId id;
  private final InstanceRenderer instanceRenderer;

  /** Whether the kernel is to report the end, and has not yet. */
  private boolean waiting;

  GetOperation(
      HttpExchange httpExchange,
      RequestContext context,
      HistoryLookup past,
      InstanceId id,
      InstanceRenderer instanceRenderer) {
    super(httpExchange, context);
    this.past = past;
    this.id = id;
    this.instanceRenderer = instanceRenderer;
  }

  /**
   * Asks the kernel that owns the instance.
   *
   * @param patienceMillis time to wait for the end; 0 to read the instance now
   */
  void ask(long patienceMillis) throws ProblemException {
    await(patienceMillis);
    offer(patienceMillis > 0);
    if (patienceMillis > 0) {
      waiting = true;
      exchange().onEnd(this::waitNoMore);
    }
  }

  /** Ends the kernel's wait: the client has gone, or is answered otherwise. */
  private void waitNoMore() {
    if (waiting && !context().haveWaitsEnded()) {
      boolean _ = context().kernels().offer(new Query.StopWaiting(id, replyTo()));
    }
  }

  private void offer(boolean awaitEnd) throws ProblemException {
    Query.GetInstance query = new Query.GetInstance(id, awaitEnd, replyTo());
    if (!context().kernels().offer(query)) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(Reply.InstanceReply reply) throws ProblemException {
    waiting = false;
    switch (reply) {
      case Reply.InstanceFound instanceFound ->
          instanceRenderer.show(exchange(), instanceFound.instance());
      case Reply.Ended ended -> instanceRenderer.show(exchange(), ended.instance());
      case Reply.NotFound _ -> past.ask(exchange(), id, false, instanceRenderer);
      case Reply.Evicted _ -> past.ask(exchange(), id, true, instanceRenderer);
      case Reply.NotOwner _ -> throw InstanceProblems.partitionMigrating();
      case Reply.LimitReached limitReached ->
          throw new ProblemException(Problem.overload(limitReached.limit()));
    }
  }

  /** Reads the instance as it is, because the wait is over. */
  @Override
  void onDeadline() throws ProblemException {
    offer(false);
    waiting = false;
  }
}

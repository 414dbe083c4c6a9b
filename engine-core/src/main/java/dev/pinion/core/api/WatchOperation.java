package dev.pinion.core.api;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.api.instance.InstanceRenderer;
import dev.pinion.core.api.instance.InstanceResponses;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceView;
import org.jspecify.annotations.Nullable;

/**
 * One view of an instance as soon as it differs from the client's version by its {@code
 * If-None-Match}, has ended, or the wait is over (long polling).
 */
final class WatchOperation extends KernelRequest<Reply.InstanceReply> {
  private final HistoryLookup past;
  private final InstanceId id;
  private final InstanceRenderer instanceRenderer;
  private boolean waitOver;

  /** Tag of the last view with a watch. */
  private @Nullable String watched;

  /** Whether the kernel has a watch without an answer. */
  private boolean watching;

  WatchOperation(
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
   * @param patienceMillis time to wait for a change
   */
  void ask(long patienceMillis) throws ProblemException {
    await(patienceMillis);
    exchange().onEnd(this::unwatch);
    offer(new Query.GetInstance(id, false, replyTo()));
  }

  /** Ends the kernel's watch: the client has gone, or is answered otherwise. */
  private void unwatch() {
    if (watching && !context().haveWaitsEnded()) {
      boolean _ = context().kernels().offer(new Query.StopWaiting(id, replyTo()));
    }
  }

  private void offer(Query.InstanceQuery question) throws ProblemException {
    if (!context().kernels().offer(question)) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
  }

  @Override
  void onReply(Reply.InstanceReply reply) throws ProblemException {
    watching = false;
    switch (reply) {
      case Reply.InstanceFound instanceFound -> onView(instanceFound.instance());
      case Reply.Ended ended -> instanceRenderer.show(exchange(), ended.instance());
      case Reply.NotFound _ -> past.ask(exchange(), id, false, instanceRenderer);
      case Reply.Evicted _ -> past.ask(exchange(), id, true, instanceRenderer);
      case Reply.NotOwner _ -> throw InstanceProblems.partitionMigrating();
      case Reply.LimitReached limitReached ->
          throw new ProblemException(Problem.overload(limitReached.limit()));
    }
  }

  private void onView(InstanceView instance) throws ProblemException {
    String tag = InstanceResponses.etag(instance);
    // A view that comes back unchanged was not watched: instance.maxWaiters watch it already.
    boolean full = tag.equals(watched);
    if (waitOver || full || instance.state().isTerminal() || !isKnown(tag)) {
      instanceRenderer.show(exchange(), instance);
      return;
    }
    offer(new Query.WatchInstance(id, instance.sequence(), instance.state(), replyTo()));
    watched = tag;
    watching = true;
  }

  private boolean isKnown(String tag) {
    return EntityTags.matches(exchange().headers("if-none-match"), tag);
  }

  /** Reads the instance as it is, because nothing has changed. */
  @Override
  void onDeadline() throws ProblemException {
    waitOver = true;
    offer(new Query.GetInstance(id, false, replyTo()));
    watching = false;
  }
}

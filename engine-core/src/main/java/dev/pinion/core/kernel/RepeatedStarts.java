package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.StartKey;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers starts with a known key. An answer waits, like one to a query, until everything that it
 * reports is durable. Kernel thread only.
 */
final class RepeatedStarts {
  private final StartKeys keys;
  private final Long2ObjectHashMap<Instance> running;
  private final EndedInstances ended;
  private final int maxWaiters;
  private final Queries queries;

  RepeatedStarts(
      StartKeys keys,
      Long2ObjectHashMap<Instance> running,
      EndedInstances ended,
      int maxWaiters,
      Queries queries) {
    this.keys = keys;
    this.running = running;
    this.ended = ended;
    this.maxWaiters = maxWaiters;
    this.queries = queries;
  }

  /**
   * A start that may have been made before.
   *
   * @param replyTo receiver of the answer; null for none
   * @param awaitEnd whether the end is reported too
   * @param join whether, awaiting the end, it waits for the end of an instance that is running
   */
  record Request(@Nullable ReplyAddress replyTo, boolean awaitEnd, boolean join) {}

  /**
   * Answers a start that was made before.
   *
   * @param request start to answer
   * @return whether it was answered; if not, it is the first one with its key
   */
  boolean answer(Request request, StartKey key, long nowNanos) {
    keys.forget(nowNanos, id -> running.containsKey(id.value()));
    StartKeys.Started first = keys.find(key);
    if (first == null) {
      return false;
    }
    DefinitionKey definition = first.definition();
    if (!key.hasBodyOf(first.key())) {
      send(request.replyTo(), new KernelReply.KeyReused());
    } else if (!request.awaitEnd() && definition != null) {
      // whatever the present state of the instance
      send(request.replyTo(), new KernelReply.Accepted(first.id(), definition));
    } else {
      tell(request, first.id());
    }
    return true;
  }

  private void tell(Request start, InstanceId id) {
    Instance instance = running.get(id.value());
    if (instance == null) {
      tellEnd(start, id, ended.find(id));
    } else if (!start.awaitEnd()) {
      send(start.replyTo(), new KernelReply.Accepted(id, instance.graph.key()));
    } else if (start.join() && start.replyTo() != null && instance.waiters().size() < maxWaiters) {
      send(start.replyTo(), new KernelReply.Accepted(id, instance.graph.key()));
      instance.waiters().add(start.replyTo());
    } else {
      send(start.replyTo(), new KernelReply.StillRunning(id));
    }
  }

  private void tellEnd(Request start, InstanceId id, EndedInstances.@Nullable Kept kept) {
    if (kept == null) {
      send(start.replyTo(), new KernelReply.Forgotten(id, true));
      return;
    }
    send(start.replyTo(), new KernelReply.Accepted(id, kept.brief.definition()));
    if (start.awaitEnd() && start.replyTo() != null) {
      queries.answer(new KernelQuery.GetInstance(id, true, start.replyTo()));
    }
  }

  private void send(@Nullable ReplyAddress to, KernelReply reply) {
    if (to != null) {
      queries.send(to, reply);
    }
  }
}

package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.kernel.table.StartKeyTable;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.StartKey;
import org.jspecify.annotations.Nullable;

/**
 * Answers starts with a known key. An answer waits, like one to a query, until everything that it
 * reports is durable. Kernel thread only.
 */
final class DuplicateStarts {
  private final Instances instances;
  private final int maxWaiters;
  private final InstanceQueries instanceQueries;

  DuplicateStarts(Instances instances, int maxWaiters, InstanceQueries instanceQueries) {
    this.instances = instances;
    this.maxWaiters = maxWaiters;
    this.instanceQueries = instanceQueries;
  }

  /**
   * A start that may have been made before.
   *
   * @param replyTo receiver of the answer; null for none
   * @param awaitEnd whether the end is reported too
   * @param join whether, awaiting the end, it waits for the end of an instance that is running
   */
  record DuplicateStart(
      @Nullable ReplyAddress<Reply.StartReply> replyTo, boolean awaitEnd, boolean join) {}

  /**
   * Answers a start that was made before.
   *
   * @param duplicateStart start to answer
   * @return whether it was answered; if not, it is the first one with its key
   */
  boolean answer(DuplicateStart duplicateStart, StartKey key, long nowNanos) {
    instances.keys().forget(nowNanos, id -> instances.running(id) != null);
    StartKeyTable.KeyEntry first = instances.keys().find(key);
    if (first == null) {
      return false;
    }
    DefinitionKey definition = first.definition();
    if (!key.hasSameBody(first.key())) {
      send(duplicateStart.replyTo(), new Reply.KeyReused());
    } else if (!duplicateStart.awaitEnd() && definition != null) {
      // whatever the present state of the instance
      send(duplicateStart.replyTo(), new Reply.Accepted(first.id(), definition));
    } else {
      sendReply(duplicateStart, first.id());
    }
    return true;
  }

  private void sendReply(DuplicateStart start, InstanceId id) {
    Instance instance = instances.running(id);
    if (instance == null) {
      sendEnd(start, id, instances.finished().find(id));
    } else if (!start.awaitEnd()) {
      send(start.replyTo(), new Reply.Accepted(id, instance.graph().key()));
    } else if (start.join() && start.replyTo() != null && instance.waiters().size() < maxWaiters) {
      send(start.replyTo(), new Reply.Accepted(id, instance.graph().key()));
      instance.waiters().add(start.replyTo());
    } else {
      send(start.replyTo(), new Reply.StillRunning(id));
    }
  }

  private void sendEnd(
      DuplicateStart start,
      InstanceId id,
      FinishedInstances.@Nullable RetainedInstance retainedInstance) {
    if (retainedInstance == null) {
      send(start.replyTo(), new Reply.Evicted(id, true));
      return;
    }
    send(start.replyTo(), new Reply.Accepted(id, retainedInstance.brief.definition()));
    if (start.awaitEnd() && start.replyTo() != null) {
      instanceQueries.readResult(id, retainedInstance, start.replyTo());
    }
  }

  private void send(@Nullable ReplyAddress<Reply.StartReply> to, Reply.StartReply reply) {
    if (to != null) {
      instanceQueries.send(to, reply);
    }
  }
}

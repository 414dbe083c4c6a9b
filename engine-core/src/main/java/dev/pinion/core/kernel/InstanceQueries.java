package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.output.OutputCommitQueue;
import dev.pinion.core.kernel.output.ReplyQueue;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.kernel.table.PendingResultReads;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.ParentTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about the instances of one kernel. An answer waits until everything that it
 * reports is durable.
 */
final class InstanceQueries {
  /** Instances examined in the time of one step of an expression. */
  private static final int INSTANCES_PER_STEP = 8;

  private final Instances instances;
  private final PendingResultReads pendingResultReads;
  private final int maxWaiters;
  private final Journal journal;
  private final OutputCommitQueue commitQueue;
  private final ReplyQueue replyQueue;
  private long spent;

  InstanceQueries(
      Instances instances,
      PendingResultReads pendingResultReads,
      int maxWaiters,
      Journal journal,
      OutputCommitQueue commitQueue,
      ReplyQueue replyQueue) {
    this.instances = instances;
    this.pendingResultReads = pendingResultReads;
    this.maxWaiters = maxWaiters;
    this.journal = journal;
    this.commitQueue = commitQueue;
    this.replyQueue = replyQueue;
  }

  /** Work done so far, in steps of expressions. */
  long spent() {
    return spent + pendingResultReads.spent();
  }

  /** Answers a query, now or when the instance ends. */
  void answer(Query.InstanceQuery query) {
    switch (query) {
      case Query.GetInstance get when instances.isReleased(get.id().partition()) ->
          replyQueue.send(get.replyTo(), new Reply.NotOwner());
      case Query.WatchInstance watch when instances.isReleased(watch.id().partition()) ->
          replyQueue.send(watch.replyTo(), new Reply.NotOwner());
      case Query.GetInstance get -> onGet(get);
      case Query.WatchInstance watch -> onWatch(watch);
      case Query.StopWaiting stop -> stopWaiting(instances.running(stop.id()), stop.waiter());
    }
  }

  /** Answers with the kernel's part of a list. */
  void answer(Query.ListInstances list) {
    send(list.replyTo(), new Reply.Page(newest(list)));
  }

  private void onGet(Query.GetInstance query) {
    Instance instance = instances.running(query.id());
    if (instance == null) {
      onGone(query);
    } else if (query.awaitEnd() && hasRoom(instance)) {
      instance.waiters().add(query.replyTo());
    } else {
      stopWaiting(instance, query.replyTo());
      send(query.replyTo(), new Reply.InstanceFound(instance.view()));
    }
  }

  private static void stopWaiting(@Nullable Instance instance, ReplyAddress<?> waiter) {
    if (instance != null) {
      instance.waiters().remove(waiter);
      instance.watches().removeIf(watch -> watch.replyTo().equals(waiter));
    }
  }

  private void onGone(Query.GetInstance query) {
    FinishedInstances.RetainedInstance retainedInstance = instances.finished().find(query.id());
    if (retainedInstance != null) {
      readResult(query.id(), retainedInstance, query.replyTo());
    } else if (instances.isGiven(query.id())) {
      send(query.replyTo(), new Reply.Evicted(query.id(), false));
    } else {
      send(query.replyTo(), new Reply.NotFound());
    }
  }

  /** Reports the end of an instance that is kept, now or when the heap has room. */
  void readResult(
      InstanceId id,
      FinishedInstances.RetainedInstance retainedInstance,
      ReplyAddress<? super Reply.EndReply> replyTo) {
    if (pendingResultReads.hasRoom(retainedInstance)) {
      send(replyTo, pendingResultReads.reply(retainedInstance));
    } else if (!pendingResultReads.await(new PendingResultReads.ResultRead(id, replyTo))) {
      send(replyTo, new Reply.LimitReached("kernel.inboxCapacity"));
    }
  }

  /** Whether reads wait for room. */
  boolean isHeldUp() {
    return pendingResultReads.areAwaited();
  }

  /** Whether {@link #resumeNext} has something to do. */
  boolean canResume() {
    return pendingResultReads.canPoll();
  }

  /** Continues a read that has waited, if there is room; returns whether there was one. */
  boolean resumeNext() {
    PendingResultReads.ResultRead read = pendingResultReads.poll();
    if (read != null) {
      resume(read);
    }
    return read != null;
  }

  private void resume(PendingResultReads.ResultRead read) {
    if (instances.isReleased(read.id().partition())) { // it has moved meanwhile
      replyQueue.send(read.replyTo(), new Reply.NotOwner());
      return;
    }
    FinishedInstances.RetainedInstance retainedInstance = instances.finished().find(read.id());
    if (retainedInstance == null) { // deleted meanwhile, or retried
      send(read.replyTo(), new Reply.Evicted(read.id(), false));
    } else {
      readResult(read.id(), retainedInstance, read.replyTo());
    }
  }

  private boolean hasRoom(Instance instance) {
    return instance.waiters().size() + instance.watches().size() < maxWaiters;
  }

  private void onWatch(Query.WatchInstance query) {
    Instance instance = instances.running(query.id());
    if (instance != null && !instance.differsFrom(query) && hasRoom(instance)) {
      instance.watches().add(query);
    } else {
      onGet(new Query.GetInstance(query.id(), false, query.replyTo()));
    }
  }

  /** Answers clients that wait for a change of an instance, if there was one. */
  void changed(Instance instance) {
    if (instance.watches().isEmpty()) {
      return;
    }
    Reply.InstanceFound reply = new Reply.InstanceFound(instance.view());
    instance
        .watches()
        .removeIf(
            watch -> {
              boolean other = instance.differsFrom(watch);
              if (other) {
                send(watch.replyTo(), reply);
              }
              return other;
            });
  }

  <R extends Reply> void send(ReplyAddress<R> to, R reply) {
    commitQueue.submit(journal.readBarrier(), () -> replyQueue.send(to, reply));
  }

  /**
   * The newest instances that match a filter, newest first. Examines every instance of the kernel.
   */
  List<InstanceView> newest(Query.ListInstances query) {
    spent += (instances.size() + instances.finished().size()) / INSTANCES_PER_STEP;
    PriorityQueue<InstanceView> newest =
        new PriorityQueue<>(Comparator.comparing(InstanceView::id));
    for (Instance instance : instances.running()) {
      ParentLink link = instance.parent();
      if (isChild(query, link == null ? null : link.task())
          && matches(query, newest, instance.id(), instance.graph().key(), instance.state())) {
        add(newest, query.limit(), instance.view().brief());
      }
    }
    for (FinishedInstances.RetainedInstance each : instances.finished().newestFirst()) {
      if (isChild(query, each.brief.parent())
          && matches(query, newest, each.id, each.brief.definition(), each.brief.state())) {
        add(newest, query.limit(), each.brief);
      }
    }
    List<InstanceView> result = new ArrayList<>(newest);
    result.sort(Comparator.comparing(InstanceView::id).reversed());
    return result;
  }

  private static boolean isChild(Query.ListInstances query, @Nullable ParentTask task) {
    return query.parent() == null || (task != null && query.parent().equals(task.id()));
  }

  private static boolean matches(
      Query.ListInstances query,
      PriorityQueue<InstanceView> newest,
      InstanceId id,
      DefinitionKey definition,
      InstanceState state) {
    return (query.before() == null || id.compareTo(query.before()) < 0)
        && (query.namespace() == null || query.namespace().equals(definition.namespace()))
        && (query.name() == null || query.name().equals(definition.name()))
        && (query.version() == null || query.version().equals(definition.version()))
        && (query.states().isEmpty() || query.states().contains(state))
        && (newest.size() < query.limit() || id.compareTo(newest.element().id()) > 0);
  }

  private static void add(PriorityQueue<InstanceView> newest, int limit, InstanceView view) {
    newest.add(view);
    if (newest.size() > limit) {
      newest.remove();
    }
  }
}

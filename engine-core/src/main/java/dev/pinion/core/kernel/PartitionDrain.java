package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import java.util.HashSet;
import java.util.Set;

/**
 * One departure in progress: drops instances, a slice in each duty cycle. Kernel thread only.
 *
 * <pre>
 *   instances dropped ─▶ calls that were aborted are reported ─▶ records are durable ─▶ gone
 * </pre>
 */
final class PartitionDrain {
  private final PartitionRelease release;
  private final Instances instances;
  private final EffectRouter router;
  private final MemoryAccount memoryAccount;
  private final Journal journal;
  private final InstanceQueries instanceQueries;
  private final long[] ids;

  /** Calls that were sent and not reported yet. */
  private final Set<AbortedCall> calls = new HashSet<>();

  private int dropped;
  private long due;

  private record AbortedCall(InstanceId id, int activity, int attempt) {}

  PartitionDrain(
      PartitionRelease partitionRelease,
      Instances instances,
      EffectRouter router,
      MemoryAccount memoryAccount,
      Journal journal,
      InstanceQueries instanceQueries) {
    this.release = partitionRelease;
    this.instances = instances;
    this.router = router;
    this.memoryAccount = memoryAccount;
    this.journal = journal;
    this.instanceQueries = instanceQueries;
    this.ids =
        instances.running().stream()
            .filter(each -> partitionRelease.partitions().get(each.id().partition()))
            .mapToLong(each -> each.id().value())
            .sorted()
            .toArray();
    this.due = journal.appended();
  }

  PartitionRelease release() {
    return release;
  }

  /** Whether {@link #work} has something to do. */
  boolean hasWork() {
    return dropped < ids.length || isComplete();
  }

  /** Whether nothing of the partitions is left. */
  boolean isComplete() {
    return dropped == ids.length && calls.isEmpty() && journal.durable() >= due;
  }

  /** Drops some instances; returns how many. */
  int work(int most) {
    boolean unfinished = dropped < ids.length;
    int count = 0;
    for (; dropped < ids.length && count < most; dropped++) {
      Instance instance = instances.release(new InstanceId(ids[dropped]));
      if (instance != null) { // it has not ended meanwhile
        drop(instance);
        count++;
      }
    }
    if (unfinished && dropped == ids.length) {
      due = journal.appended(); // nothing of the partitions is recorded from now on
    }
    return count;
  }

  private void drop(Instance instance) {
    instance.release();
    for (int slot = 0; slot < instance.usedSlots(); slot++) {
      Activity activity = instance.activity(slot);
      if (activity != null) {
        cancelActivity(activity);
      }
    }
    memoryAccount.closed(instance);
    for (ReplyAddress<? super Reply.EndReply> waiter : instance.waiters()) {
      instanceQueries.send(waiter, new Reply.NotOwner());
    }
    instance.waiters().clear();
    for (Query.WatchInstance watch : instance.watches()) {
      instanceQueries.send(watch.replyTo(), new Reply.NotOwner());
    }
    instance.watches().clear();
  }

  private void cancelActivity(Activity activity) {
    int attempt = activity.awaiting();
    if (activity.awaitsChild()) {
      activity.abandonWait(); // the child leaves as well
    } else if (attempt != 0) {
      if (activity.sent() && activity.evaluating() == 0) {
        calls.add(new AbortedCall(activity.instance().id(), activity.slot(), attempt));
      }
      activity.abandonWait();
      router.withdraw(activity, attempt);
    }
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      router.cancelTimer(activity, kind);
    }
    router.unlisten(activity);
  }

  /** Records the end of a call, with any outcome. */
  void onCallEnded(Event.CallCompleted done) {
    calls.remove(new AbortedCall(done.id(), done.activity(), done.attempt()));
  }
}

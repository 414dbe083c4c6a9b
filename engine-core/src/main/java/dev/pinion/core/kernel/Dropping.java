package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import java.util.HashSet;
import java.util.Set;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * One departure in progress: drops instances, a slice in each duty cycle. Kernel thread only.
 *
 * <pre>
 *   instances dropped ─▶ calls that were aborted are reported ─▶ records are durable ─▶ gone
 * </pre>
 */
final class Dropping {
  private final Departure departure;
  private final Long2ObjectHashMap<Instance> instances;
  private final EffectRouter router;
  private final Holdings holdings;
  private final Journal journal;
  private final Queries queries;
  private final KernelCounters counters;
  private final long[] ids;

  /** Calls that were sent and not reported yet. */
  private final Set<Call> calls = new HashSet<>();

  private int dropped;
  private long due;

  private record Call(InstanceId id, int activity, int attempt) {}

  Dropping(
      Departure departure,
      Long2ObjectHashMap<Instance> instances,
      EffectRouter router,
      Holdings holdings,
      Journal journal,
      Queries queries,
      KernelCounters counters) {
    this.departure = departure;
    this.instances = instances;
    this.router = router;
    this.holdings = holdings;
    this.journal = journal;
    this.queries = queries;
    this.counters = counters;
    this.ids =
        instances.values().stream()
            .filter(each -> departure.partitions().get(each.id.partition()))
            .mapToLong(each -> each.id.value())
            .sorted()
            .toArray();
    this.due = journal.appended();
  }

  Departure departure() {
    return departure;
  }

  /** Whether {@link #work} has something to do. */
  boolean hasWork() {
    return dropped < ids.length || isGone();
  }

  /** Whether nothing of the partitions is left. */
  boolean isGone() {
    return dropped == ids.length && calls.isEmpty() && journal.durable() >= due;
  }

  /** Drops some instances; returns how many. */
  int work(int most) {
    boolean unfinished = dropped < ids.length;
    int count = 0;
    for (; dropped < ids.length && count < most; dropped++) {
      Instance instance = instances.remove(ids[dropped]);
      if (instance != null) { // it has not ended meanwhile
        drop(instance);
        counters.onLeft();
        count++;
      }
    }
    if (unfinished && dropped == ids.length) {
      due = journal.appended(); // nothing of the partitions is recorded from now on
    }
    return count;
  }

  private void drop(Instance instance) {
    instance.hasLeft = true;
    for (int slot = 0; slot < instance.usedSlots(); slot++) {
      Activity activity = instance.activity(slot);
      if (activity != null) {
        letGo(activity);
      }
    }
    holdings.closed(instance);
    for (ReplyAddress waiter : instance.waiters()) {
      queries.send(waiter, new KernelReply.Elsewhere());
    }
    instance.waiters().clear();
    for (KernelQuery.WatchInstance watch : instance.watches()) {
      queries.send(watch.replyTo(), new KernelReply.Elsewhere());
    }
    instance.watches().clear();
  }

  private void letGo(Activity activity) {
    int attempt = activity.awaiting;
    if (attempt != 0) {
      if (activity.sent && activity.evaluating == 0) {
        calls.add(new Call(activity.instance.id, activity.slot, attempt));
      }
      activity.awaiting = 0;
      router.withdraw(activity, attempt);
    }
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      router.cancelTimer(activity, kind);
    }
  }

  /** Records the end of a call, with any outcome. */
  void reported(KernelEvent.InvocationDone done) {
    calls.remove(new Call(done.id(), done.activity(), done.attempt()));
  }
}

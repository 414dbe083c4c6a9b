package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.instance.StartKey;
import org.jspecify.annotations.Nullable;

/** Decides whether one more instance may begin: the only place where a start is refused. */
final class Admission {
  private final int maxInstances;
  private final Instances instances;
  private final OrderedStarts ordered;
  private final Journal journal;
  private final ValuePacking valuePacking;
  private final HeapAccount heap;

  Admission(
      KernelLimits limits,
      Instances instances,
      OrderedStarts ordered,
      Journal journal,
      ValuePacking valuePacking,
      HeapAccount heap) {
    this.maxInstances = limits.maxInstances();
    this.instances = instances;
    this.ordered = ordered;
    this.journal = journal;
    this.valuePacking = valuePacking;
    this.heap = heap;
  }

  /**
   * Reason why an instance cannot begin now, or null.
   *
   * @param key key of the start, or null
   */
  Reply.@Nullable StartReply refusal(Durability durability, @Nullable StartKey key) {
    Reply.StartReply refusal = reason(durability, key);
    if (refusal != null) {
      instances.counters().onRefused();
    }
    return refusal;
  }

  private Reply.@Nullable StartReply reason(Durability durability, @Nullable StartKey key) {
    if (key != null && !durability.isJournalled()) {
      return new Reply.NotDurable();
    }
    if (key != null && instances.keys().isFull()) {
      return new Reply.LimitReached("kernel.maxStartKeys");
    }
    if (instances.size() >= maxInstances) {
      return new Reply.LimitReached("kernel.maxInstances");
    }
    valuePacking.makeRoom(0);
    if (heap.refuses(ordered.heapBytes())) {
      return new Reply.LimitReached("kernel.maxHeldBytes");
    }
    Journal.Rejection rejection = durability.isJournalled() ? journal.refusal() : null;
    return switch (rejection) {
      case null -> null;
      case BEHIND -> new Reply.LimitReached("journal.laneCapacity");
      case UNREAD -> new Reply.LimitReached("journal.unreadLogBytes");
      case DISK_FULL -> new Reply.JournalDiskFull();
    };
  }

  /** Reason why a start cannot wait for its predecessors, or null. */
  Reply.@Nullable StartReply refusalToWait() {
    boolean full = ordered.isFull();
    if (!full && !heap.refuses(ordered.heapBytes())) {
      return null;
    }
    instances.counters().onRefused();
    return new Reply.LimitReached(full ? "kernel.maxOrderedStarts" : "kernel.maxHeldBytes");
  }
}

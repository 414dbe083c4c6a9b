package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.HeapAccount;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Keeps the heap free of values that nobody needs soon: of instances that wait, those that were
 * active least recently are packed, all values of an instance into one piece of bytes, off the heap
 * where the {@link ColdStore} has room. Nothing is packed before the heap is half full.
 *
 * <p>An instance is packed between two turns and unpacked before anything touches it; what it does
 * is the same either way. Kernel thread only.
 *
 * <pre>
 *   turn ends ─▶ waits (values as trees) ─▶ packed ─▶ an event comes: unpacked ─▶ turn
 * </pre>
 */
final class Packing {
  /** Values that take less of the heap are left where they are, unless the heap is tiny. */
  private static final int LEAST_BYTES = 2 << 10;

  private static final int PARTS_OF_TINY = 64;

  private final HeapAccount heap;
  private final HeapAccount.Share share;
  private final ColdStore cold;
  private final long leastBytes;

  /** Instances that wait and can be packed, the one that was active least recently first. */
  private final SequencedSet<Instance> waiting = new LinkedHashSet<>();

  /** Packed instances whose bytes found no room off the heap, the oldest first. */
  private final SequencedSet<Instance> left = new LinkedHashSet<>();

  private final ByteWriter writer = new ByteWriter();
  private int packedInstances;

  Packing(ValueSpace space, HeapAccount.Share share) {
    this.heap = space.heap();
    this.share = share;
    this.cold = space.cold();
    this.leastBytes = Math.min(LEAST_BYTES, heap.bound() / PARTS_OF_TINY);
  }

  /** Instances that are packed now. */
  int packedInstances() {
    return packedInstances;
  }

  /** An instance has done what it can for now. */
  void rest(Instance instance) {
    if (instance.heapBytes >= leastBytes
        && instance.packed == null
        && instance.evaluations == 0
        && !instance.hasEnded()) {
      waiting.add(instance);
    }
    makeRoom(0);
  }

  /** Something is about to touch an instance: has its values where they belong. */
  void wake(Instance instance) {
    waiting.remove(instance);
    Packed packed = instance.packed;
    if (packed == null) {
      return;
    }
    makeRoom(packed.savedBytes());
    InstanceValues.putBack(instance, packed.bytes(cold));
    drop(instance, packed);
    share.add(packed.savedBytes());
  }

  /** Has the values of an instance where they belong for as long as somebody looks at it. */
  void lookAt(Instance instance, Runnable look) {
    Packed packed = instance.packed;
    if (packed == null) {
      look.run();
      return;
    }
    InstanceValues.putBack(instance, packed.bytes(cold));
    try {
      look.run();
    } finally {
      InstanceValues.clear(instance);
    }
  }

  /** An instance has ended or goes on elsewhere; nothing is charged for it any more. */
  void forget(Instance instance) {
    waiting.remove(instance);
    Packed packed = instance.packed;
    if (packed != null) {
      drop(instance, packed);
      share.add(packed.savedBytes());
    }
  }

  private void drop(Instance instance, Packed packed) {
    packed.free(cold);
    packedInstances--;
    instance.packed = null;
    left.remove(instance);
  }

  /**
   * Packs as long as the heap is too full for so many bytes more and there is something to pack.
   */
  void makeRoom(long bytes) {
    while (heap.isTight(bytes) && !waiting.isEmpty()) {
      pack(waiting.removeFirst());
    }
    while (heap.isTight(bytes) && !left.isEmpty() && moveOut(left.getFirst())) {
      left.removeFirst();
    }
  }

  /** Moves off the heap what found no room there when it was packed. */
  void cool() {
    if (!left.isEmpty()) {
      makeRoom(0);
    }
  }

  /** Whether packed bytes stay on the heap until there is room elsewhere. */
  boolean waitsForRoom() {
    return !left.isEmpty() && heap.isTight(0);
  }

  private void pack(Instance instance) {
    writer.clear();
    InstanceValues.takeOut(instance, writer);
    Packed packed = Packed.of(writer.toBytes(), instance.heapBytes, cold);
    instance.packed = packed;
    packedInstances++;
    share.add(-packed.savedBytes());
    if (packed.isOnHeap()) {
      left.add(instance);
    }
  }

  private boolean moveOut(Instance instance) {
    Packed before = instance.packed;
    if (before == null) {
      return true;
    }
    Packed after = before.movedTo(cold);
    instance.packed = after;
    share.add(before.savedBytes() - after.savedBytes());
    return !after.isOnHeap();
  }
}

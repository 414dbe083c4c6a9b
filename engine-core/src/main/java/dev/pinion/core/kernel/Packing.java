package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.HeapAccount;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Packs values that are not needed soon: of waiting instances the least recently active ones, all
 * values of an instance into one byte array, off the heap where the {@link ColdStore} has room.
 * Nothing is packed before the heap is half full.
 *
 * <p>An instance is packed between two turns and unpacked before its next use; its behaviour is the
 * same either way. Kernel thread only.
 *
 * <pre>
 *   turn ends ─▶ waits (values as trees) ─▶ packed ─▶ an event comes: unpacked ─▶ turn
 * </pre>
 */
final class Packing {
  /** Smallest heap size of values worth packing, unless the heap is tiny. */
  private static final int LEAST_BYTES = 2 << 10;

  private static final int PARTS_OF_TINY = 64;

  private final HeapAccount heap;
  private final HeapAccount.Share share;
  private final ColdStore cold;
  private final long leastBytes;

  /** Waiting instances that can be packed, least recently active first. */
  private final SequencedSet<Instance> waiting = new LinkedHashSet<>();

  /** Packed instances whose bytes found no room off the heap, oldest first. */
  private final SequencedSet<Instance> left = new LinkedHashSet<>();

  private final ByteWriter writer = new ByteWriter();
  private int packedInstances;

  Packing(ValueSpace space, HeapAccount.Share share) {
    this.heap = space.heap();
    this.share = share;
    this.cold = space.cold();
    this.leastBytes = Math.min(LEAST_BYTES, heap.bound() / PARTS_OF_TINY);
  }

  /** Number of packed instances. */
  int packedInstances() {
    return packedInstances;
  }

  /** Marks an instance as waiting. */
  void rest(Instance instance) {
    if (instance.heapBytes >= leastBytes
        && instance.packed == null
        && instance.evaluations == 0
        && !instance.hasEnded()) {
      waiting.add(instance);
    }
    makeRoom(0);
  }

  /** Unpacks the values of an instance before its next use. */
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

  /** Unpacks the values of an instance for the length of a visit. */
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

  /** Forgets an instance that has ended or continues elsewhere, and releases its charge. */
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
   * Packs as long as the heap has no room for so many more bytes and there is something to pack.
   */
  void makeRoom(long bytes) {
    while (heap.isTight(bytes) && !waiting.isEmpty()) {
      pack(waiting.removeFirst());
    }
    while (heap.isTight(bytes) && !left.isEmpty() && moveOut(left.getFirst())) {
      left.removeFirst();
    }
  }

  /** Moves packed bytes off the heap that found no room there before. */
  void cool() {
    if (!left.isEmpty()) {
      makeRoom(0);
    }
  }

  /** Whether packed bytes stay on the heap until the cold store has room. */
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

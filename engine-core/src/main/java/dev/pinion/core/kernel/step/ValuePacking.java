package dev.pinion.core.kernel.step;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.kernel.step.memory.PackedValues;
import dev.pinion.core.model.HeapAccount;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Supplier;

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
public final class ValuePacking {
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
  private final SequencedSet<Instance> packedOnHeap = new LinkedHashSet<>();

  private final ByteWriter writer = new ByteWriter();
  private int packedInstances;

  ValuePacking(KernelMemory space, HeapAccount.Share share) {
    this.heap = space.heap();
    this.share = share;
    this.cold = space.cold();
    this.leastBytes = Math.min(LEAST_BYTES, heap.bound() / PARTS_OF_TINY);
  }

  /** Number of packed instances. */
  public int packedInstances() {
    return packedInstances;
  }

  /** Marks an instance as waiting. */
  public void onIdle(Instance instance) {
    if (instance.heapBytes >= leastBytes
        && instance.packedValues == null
        && instance.evaluations == 0
        && !instance.hasEnded()) {
      waiting.add(instance);
    }
    makeRoom(0);
  }

  /** Unpacks the values of an instance before its next use. */
  public void unpack(Instance instance) {
    waiting.remove(instance);
    PackedValues packedValues = instance.packedValues;
    if (packedValues == null) {
      return;
    }
    makeRoom(packedValues.savedBytes());
    InstanceValues.putBack(instance, packedValues.bytes(cold));
    drop(instance, packedValues);
    share.add(packedValues.savedBytes());
  }

  /** Unpacks the values of an instance for the length of a visit. */
  public void withUnpacked(Instance instance, Runnable look) {
    PackedValues packedValues = instance.packedValues;
    if (packedValues == null) {
      look.run();
      return;
    }
    InstanceValues.putBack(instance, packedValues.bytes(cold));
    try {
      look.run();
    } finally {
      InstanceValues.clear(instance);
    }
  }

  /** The result of a visit that finds the values of an instance unpacked. */
  public <T> T readUnpacked(Instance instance, Supplier<T> look) {
    PackedValues packedValues = instance.packedValues;
    if (packedValues == null) {
      return look.get();
    }
    InstanceValues.putBack(instance, packedValues.bytes(cold));
    try {
      return look.get();
    } finally {
      InstanceValues.clear(instance);
    }
  }

  /** Forgets an instance that has ended or continues elsewhere, and releases its charge. */
  void forget(Instance instance) {
    waiting.remove(instance);
    PackedValues packedValues = instance.packedValues;
    if (packedValues != null) {
      drop(instance, packedValues);
      share.add(packedValues.savedBytes());
    }
  }

  private void drop(Instance instance, PackedValues packedValues) {
    packedValues.free(cold);
    packedInstances--;
    instance.packedValues = null;
    packedOnHeap.remove(instance);
  }

  /**
   * Packs as long as the heap has no room for so many more bytes and there is something to pack.
   */
  public void makeRoom(long bytes) {
    while (heap.isNearlyFull(bytes) && !waiting.isEmpty()) {
      pack(waiting.removeFirst());
    }
    while (heap.isNearlyFull(bytes)
        && !packedOnHeap.isEmpty()
        && moveOut(packedOnHeap.getFirst())) {
      packedOnHeap.removeFirst();
    }
  }

  /** Moves packed bytes off the heap that found no room there before. */
  public void cool() {
    if (!packedOnHeap.isEmpty()) {
      makeRoom(0);
    }
  }

  /** Whether packed bytes stay on the heap until the cold store has room. */
  public boolean waitsForRoom() {
    return !packedOnHeap.isEmpty() && heap.isNearlyFull(0);
  }

  private void pack(Instance instance) {
    writer.clear();
    InstanceValues.takeOut(instance, writer);
    PackedValues packedValues = PackedValues.of(writer.toBytes(), instance.heapBytes, cold);
    instance.packedValues = packedValues;
    packedInstances++;
    share.add(-packedValues.savedBytes());
    if (packedValues.isOnHeap()) {
      packedOnHeap.add(instance);
    }
  }

  private boolean moveOut(Instance instance) {
    PackedValues before = instance.packedValues;
    if (before == null) {
      return true;
    }
    PackedValues after = before.movedTo(cold);
    instance.packedValues = after;
    share.add(before.savedBytes() - after.savedBytes());
    return !after.isOnHeap();
  }
}

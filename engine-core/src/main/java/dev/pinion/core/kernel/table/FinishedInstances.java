package dev.pinion.core.kernel.table;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.limits.KernelLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceView;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last instances that ended, kept for queries, retries and reruns for a time, within a number
 * and a size; the oldest are evicted first, among those that use the lacking resource. They are
 * kept as bytes: value trees that live for thousands of further instances would be copied by every
 * collection of young objects until they are old, and are hardly ever read. Long ones are kept off
 * the heap, as soon as there is room.
 */
public final class FinishedInstances {
  /** Length from which an instance is kept off the heap. */
  static final int LONG_BYTES = 2 << 10;

  /** Room for writing that is kept between two of them. */
  private static final int USUAL_BYTES = 64 << 10;

  private final int maxCount;
  private final long maxBytes;
  private final long maxColdBytes;

  /** Longest instance that is moved off the heap. */
  private final long longest;

  private final long keptNanos;
  private final ColdStore cold;
  private final LongSupplier nowNanos;
  private final SequencedMap<InstanceId, RetainedInstance> instances = new LinkedHashMap<>();

  /** Instances that stay on the heap: short ones, and one that is too long for the cold store. */
  private final Tier heapOnly = new Tier();

  /** Long instances that are on the heap because the cold store had no room. */
  private final Tier warm = new Tier();

  /** Long instances that are off the heap. */
  private final Tier offHeap = new Tier();

  private ByteWriter writer = new ByteWriter();
  private long coldBytes;
  private long journalledBytes;

  /** Instances that are kept in the same way, oldest first. */
  private static final class Tier {
    private final SequencedMap<InstanceId, RetainedInstance> instances = new LinkedHashMap<>();
    private long heapBytes;

    void add(RetainedInstance retainedInstance) {
      retainedInstance.tier = this;
      instances.put(retainedInstance.id, retainedInstance);
      heapBytes += retainedInstance.heapBytes();
    }

    void remove(RetainedInstance retainedInstance) {
      instances.remove(retainedInstance.id);
      heapBytes -= retainedInstance.heapBytes();
    }

    RetainedInstance oldest() {
      return instances.firstEntry().getValue();
    }
  }

  /**
   * An ended instance, as {@link FinishedInstanceCodec} writes it, and the fields for searching.
   */
  public final class RetainedInstance {
    /** Approximate heap bytes beside its serialized form. */
    static final long FIXED_BYTES = 392;

    /** Approximate heap bytes of the numbers of compensations. */
    private static final long COMPENSATION_BYTES = 40;

    /** Its id. */
    public final InstanceId id;

    /** View for lists: all fields except its output and its error. */
    public final InstanceView brief;

    /** Whether it must survive a crash. */
    public final boolean journalled;

    private final long sinceNanos;
    private final int length;
    private Tier tier;
    private byte @Nullable [] onHeap;
    private long handle;

    private RetainedInstance(InstanceView view, boolean journalled, byte[] written, Tier tier) {
      this.id = view.id();
      this.brief = view.brief();
      this.sinceNanos = nowNanos.getAsLong();
      this.journalled = journalled;
      this.length = written.length;
      this.onHeap = written;
      this.tier = tier;
    }

    /** The instance. */
    public FinishedInstance instance() {
      return FinishedInstanceCodec.read(written());
    }

    /** The full view. */
    public InstanceView view() {
      return brief.compensation() == null
          ? FinishedInstanceCodec.readView(written()).startedBy(brief.parent())
          : instance().view;
    }

    /** Length of the form in a snapshot. */
    int length() {
      return length;
    }

    /** Form in a snapshot. Not to be modified. */
    public byte[] written() {
      byte[] here = onHeap;
      return here == null ? cold.get(handle) : here;
    }

    private long heapBytes() {
      return FIXED_BYTES
          + brief.tags().heapBytes()
          + (brief.compensation() == null ? 0 : COMPENSATION_BYTES)
          + (onHeap == null ? 0 : length);
    }
  }

  /**
   * An empty store.
   *
   * @param cold where long ones are kept
   * @param nowNanos monotonic time of the present duty cycle: a wall clock that jumps expires no
   *     instance. A restart begins it anew
   */
  public FinishedInstances(KernelLimits limits, ColdStore cold, LongSupplier nowNanos) {
    this.maxCount = limits.maxEnded();
    this.maxBytes = limits.maxEndedBytes();
    this.maxColdBytes = limits.maxEndedColdBytes();
    this.longest = Math.min(limits.maxEndedColdBytes(), limits.maxColdBytes());
    this.keptNanos = TimeUnit.SECONDS.toNanos(limits.keepEndedSeconds());
    this.cold = cold;
    this.nowNanos = nowNanos;
  }

  /** Adds an instance that need not survive a crash. */
  void addUnjournalled(FinishedInstance instance) {
    add(instance, false);
  }

  void add(FinishedInstance instance) {
    add(instance, true);
  }

  private void add(FinishedInstance instance, boolean journalled) {
    remove(instance.view.id());
    if (maxCount == 0) {
      return;
    }
    byte[] written = written(instance);
    boolean movable = written.length >= LONG_BYTES && written.length <= longest;
    RetainedInstance retainedInstance =
        new RetainedInstance(instance.view, journalled, written, movable ? warm : heapOnly);
    instances.put(retainedInstance.id, retainedInstance);
    retainedInstance.tier.add(retainedInstance);
    journalledBytes += journalled ? retainedInstance.length : 0;
    moveOffTheHeap();
    evictOldest();
  }

  /** Moves long instances off the heap, as far as there is room now. */
  public void moveToColdStore() {
    if (warm.instances.isEmpty()) {
      return;
    }
    moveOffTheHeap();
    evictOldest();
  }

  private void moveOffTheHeap() {
    while (!warm.instances.isEmpty()) {
      RetainedInstance next = warm.oldest();
      long handle = cold.put(next.written());
      if (handle == ColdStore.NO_ROOM) {
        return;
      }
      warm.remove(next);
      coldBytes += next.length;
      next.handle = handle;
      next.onHeap = null;
      offHeap.add(next);
    }
  }

  /** Evicts expired instances, and the oldest beyond the bounds. */
  private void evictOldest() {
    long now = nowNanos.getAsLong();
    for (RetainedInstance next = nextToEvict(now); next != null; next = nextToEvict(now)) {
      remove(next.id);
    }
  }

  /** Next instance to evict, or null when all are within their time and bounds. */
  private @Nullable RetainedInstance nextToEvict(long now) {
    if (instances.isEmpty()) {
      return null;
    }
    RetainedInstance oldest = instances.firstEntry().getValue();
    if (instances.size() > maxCount || now - oldest.sinceNanos >= keptNanos) {
      return oldest;
    }
    if (coldBytes > maxColdBytes) {
      return offHeap.oldest();
    }
    return heapOnly.heapBytes + warm.heapBytes + offHeap.heapBytes > maxBytes
        ? mostOfTheHeap().oldest()
        : null;
  }

  private Tier mostOfTheHeap() {
    Tier onHeap = warm.heapBytes > heapOnly.heapBytes ? warm : heapOnly;
    return offHeap.heapBytes > onHeap.heapBytes ? offHeap : onHeap;
  }

  private byte[] written(FinishedInstance instance) {
    writer.clear();
    FinishedInstanceCodec.write(instance, writer);
    byte[] written = writer.toBytes();
    if (written.length > USUAL_BYTES) {
      writer = new ByteWriter();
    }
    return written;
  }

  /** Removes an instance, if it is kept. */
  public void remove(InstanceId id) {
    RetainedInstance removed = instances.remove(id);
    if (removed != null) {
      removed.tier.remove(removed);
      journalledBytes -= removed.journalled ? removed.length : 0;
      if (removed.onHeap == null) {
        coldBytes -= removed.length;
        cold.free(removed.handle);
      }
    }
  }

  /** Removes the instances of some partitions. */
  void remove(BitSet partitions) {
    List<InstanceId> gone =
        instances.keySet().stream().filter(id -> partitions.get(id.partition())).toList();
    gone.forEach(this::remove);
  }

  /** An instance that is kept, or null. */
  public @Nullable RetainedInstance find(InstanceId id) {
    evictOldest();
    return instances.get(id);
  }

  /** All that are kept, the last one that ended first. */
  public Collection<RetainedInstance> newestFirst() {
    return Collections.unmodifiableCollection(instances.sequencedValues().reversed());
  }

  /** A copy of the instances that must survive a crash, oldest first. */
  public List<RetainedInstance> journalled() {
    return instances.values().stream()
        .filter(retainedInstance -> retainedInstance.journalled)
        .toList();
  }

  /** Whether an instance of a copy is still kept. */
  public boolean holds(RetainedInstance retainedInstance) {
    return instances.get(retainedInstance.id) == retainedInstance;
  }

  /** Bytes in a snapshot of the instances that must survive a crash. */
  long journalledBytes() {
    return journalledBytes;
  }

  /** Number of instances that are kept. */
  public int size() {
    return instances.size();
  }
}

package dev.pinion.core.kernel.counters;

import dev.pinion.core.metrics.LabelSlots;
import dev.pinion.core.metrics.SingleWriterCounter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.instance.InstanceState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instances of one kernel by definition, whatever its version, in a fixed number of slots. Written
 * by the kernel's thread, read by any.
 */
public final class DefinitionCounters {
  /** Most remembered definitions; beyond it all are looked up again. */
  private static final int MAX_REMEMBERED = 1_024;

  private final LabelSlots names;
  private final Counts[] slots;

  /** Slots of definitions that the kernel has met. Kernel thread only. */
  private final Map<DefinitionKey, Counts> known = new HashMap<>();

  private @Nullable DefinitionKey lastKey;
  private Counts last;

  /** Counters of one slot. */
  private static final class Counts {
    final SingleWriterCounter started = new SingleWriterCounter();
    final SingleWriterCounter completed = new SingleWriterCounter();
    final SingleWriterCounter faulted = new SingleWriterCounter();
    final SingleWriterCounter cancelled = new SingleWriterCounter();
  }

  public DefinitionCounters(LabelSlots names) {
    this.names = names;
    this.slots = new Counts[names.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Counts();
    }
    this.last = slots[0];
  }

  public void onStarted(DefinitionKey key) {
    counts(key).started.increment();
  }

  public void onEnded(DefinitionKey key, InstanceState state) {
    Counts counts = counts(key);
    switch (state) {
      case COMPLETED -> counts.completed.increment();
      case FAULTED -> counts.faulted.increment();
      default -> counts.cancelled.increment();
    }
  }

  /** Mostly the same definition as before: instances of one share its key. */
  @SuppressWarnings("ReferenceEquality") // only a short cut
  private Counts counts(DefinitionKey key) {
    if (key != lastKey) {
      last = find(key);
      lastKey = key;
    }
    return last;
  }

  private Counts find(DefinitionKey key) {
    Counts found = known.get(key);
    if (found == null) {
      found = slots[names.slot(key.namespace() + "/" + key.name())];
      if (known.size() >= MAX_REMEMBERED) {
        known.clear();
      }
      known.put(key, found);
    }
    return found;
  }

  /** Instances started or taken up. */
  public long started(int slot) {
    return slots[slot].started.value();
  }

  /** Instances completed. */
  public long completed(int slot) {
    return slots[slot].completed.value();
  }

  /** Instances faulted. */
  public long faulted(int slot) {
    return slots[slot].faulted.value();
  }

  /** Instances cancelled. */
  public long cancelled(int slot) {
    return slots[slot].cancelled.value();
  }
}

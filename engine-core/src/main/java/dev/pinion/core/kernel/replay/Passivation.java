package dev.pinion.core.kernel.replay;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceWriter;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.model.InstanceId;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passivates waiting instances of a shadow. The least recently active ones are serialized as in a
 * snapshot, off the heap, and leave the kernel; each is read again when a record of it comes. So a
 * process that only follows needs a few words of heap for an instance, where the kernel that runs
 * it has all its objects.
 *
 * <p>{@link ValuePacking} goes first, which moves the values alone. Nothing is passivated before
 * the heap is half full, or without room in the {@link ColdStore}. Single-threaded.
 */
final class Passivation {
  private static final long ABSENT = -1;

  private final Instances instances;
  private final KernelMemory space;
  private final ValuePacking valuePacking;
  private final ReplayEffectSink replayed;

  /** Waiting instances of the kernel, least recently active first. */
  private final SequencedSet<Instance> waiting = new LinkedHashSet<>();

  /** Cold-store handles of the passive instances, by their ids. */
  private final Long2LongHashMap passive = new Long2LongHashMap(ABSENT);

  private final ByteWriter writer = new ByteWriter();

  /** Size of the last instance that found no room, until there is so much; 0 for none. */
  private int refusedBytes;

  Passivation(
      Instances instances,
      KernelMemory space,
      ValuePacking valuePacking,
      ReplayEffectSink replayed) {
    this.instances = instances;
    this.space = space;
    this.valuePacking = valuePacking;
    this.replayed = replayed;
  }

  /**
   * A passive instance.
   *
   * @param openings how often the journal had been opened by then
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record PassivatedInstance(byte[] state, int openings) {}

  /** Number of passive instances. */
  int passive() {
    return passive.size();
  }

  /** Whether an instance is passive. */
  boolean holds(InstanceId id) {
    return passive.containsKey(id.value());
  }

  /** Marks an instance as waiting. */
  void onIdle(Instance instance) {
    if (instance.isIdle() && !instance.hasEnded() && !instance.evaluates()) {
      waiting.add(instance);
    }
    while (space.heap().isNearlyFull(0)
        && !waiting.isEmpty()
        && space.cold().hasRoom(refusedBytes)
        && passivate(waiting.getFirst())) {
      waiting.removeFirst();
    }
  }

  /** Marks an instance of the kernel as active. */
  void onActive(Instance instance) {
    waiting.remove(instance);
  }

  /** Removes and returns a passive instance, to be read again; null when it is not passive. */
  @Nullable PassivatedInstance take(InstanceId id) {
    long handle = passive.remove(id.value());
    if (handle == ABSENT) {
      return null;
    }
    byte[] bytes = space.cold().get(handle);
    space.cold().free(handle);
    int openings = Math.toIntExact(new ByteReader(bytes).getLong());
    return new PassivatedInstance(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length), openings);
  }

  /** Forgets some instances. */
  void forget(Predicate<InstanceId> which) {
    waiting.removeIf(each -> which.test(each.id()));
    for (long id : passive.keySet().stream().mapToLong(Long::longValue).toArray()) {
      if (which.test(new InstanceId(id))) {
        take(new InstanceId(id));
      }
    }
  }

  /** Passivates an instance; returns whether there was room. */
  private boolean passivate(Instance instance) {
    valuePacking.unpack(instance);
    instance.forEachActivity(replayed::countDeliveries);
    writer.clear();
    writer.putLong(replayed.openings());
    InstanceWriter.write(instance, writer);
    byte[] written = writer.toBytes();
    long handle = space.cold().put(written);
    if (handle == ColdStore.NO_ROOM) {
      refusedBytes = written.length;
      valuePacking.onIdle(instance);
      return false;
    }
    refusedBytes = 0;
    instance.forEachActivity(replayed::dropActivity);
    instances.forget(instance.id());
    passive.put(instance.id().value(), handle);
    return true;
  }
}

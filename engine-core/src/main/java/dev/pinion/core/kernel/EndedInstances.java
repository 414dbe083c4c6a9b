package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The last instances that ended, kept for questions, retries and reruns within a number and a size;
 * the oldest are forgotten first. They are kept as bytes: trees of values that live for thousands
 * of further instances would be copied by every collection of young objects until they are old, and
 * are hardly ever asked for.
 */
final class EndedInstances {
  /** Room for writing that is kept between two of them. */
  private static final int USUAL_BYTES = 64 << 10;

  private final int maxCount;
  private final long maxBytes;
  private final SequencedMap<InstanceId, Kept> instances = new LinkedHashMap<>();
  private ByteWriter writer = new ByteWriter();
  private long bytes;

  /** An instance that has ended, as {@link EndedCodec} writes it, and what all are searched by. */
  static final class Kept {
    final InstanceId id;
    final DefinitionKey definition;
    final InstanceState state;

    /** Whether it is to be there after a crash. */
    final boolean journalled;

    private final long weight;
    private final byte[] written;

    private Kept(EndedInstance instance, long weight, boolean journalled, byte[] written) {
      this.id = instance.view.id();
      this.definition = instance.view.definition();
      this.state = instance.view.state();
      this.weight = weight;
      this.journalled = journalled;
      this.written = written;
    }

    /** The instance. */
    EndedInstance instance() {
      return EndedCodec.read(written);
    }

    /** The form in a snapshot. Not to be changed. */
    byte[] written() {
      return written;
    }
  }

  EndedInstances(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /** Keeps an instance that nothing is to be left of after a crash. */
  void addUnjournalled(EndedInstance instance) {
    add(instance, false);
  }

  void add(EndedInstance instance) {
    add(instance, true);
  }

  private void add(EndedInstance instance, boolean journalled) {
    long weight = instance.weight();
    remove(instance.view.id());
    while (!instances.isEmpty() && (instances.size() >= maxCount || bytes + weight > maxBytes)) {
      remove(instances.keySet().iterator().next());
    }
    if (maxCount > 0 && weight <= maxBytes) {
      instances.put(instance.view.id(), new Kept(instance, weight, journalled, written(instance)));
      bytes += weight;
    }
  }

  private byte[] written(EndedInstance instance) {
    writer.clear();
    EndedCodec.write(instance, writer);
    byte[] written = writer.toBytes();
    if (written.length > USUAL_BYTES) {
      writer = new ByteWriter();
    }
    return written;
  }

  /** Forgets an instance, if it is kept. */
  void remove(InstanceId id) {
    Kept removed = instances.remove(id);
    if (removed != null) {
      bytes -= removed.weight;
    }
  }

  /** Forgets those of some partitions. */
  void remove(BitSet partitions) {
    List<InstanceId> gone =
        instances.keySet().stream().filter(id -> partitions.get(id.partition())).toList();
    gone.forEach(this::remove);
  }

  @Nullable EndedInstance find(InstanceId id) {
    Kept kept = instances.get(id);
    return kept == null ? null : kept.instance();
  }

  /** What is told of an instance, or null. */
  @Nullable InstanceView view(InstanceId id) {
    EndedInstance instance = find(id);
    return instance == null ? null : instance.view;
  }

  /** All that are kept, the last one that ended first. */
  Collection<Kept> newestFirst() {
    return Collections.unmodifiableCollection(instances.sequencedValues().reversed());
  }

  /** A copy of those that are to be there after a crash, the oldest first. */
  List<Kept> journalled() {
    return instances.values().stream().filter(kept -> kept.journalled).toList();
  }

  int size() {
    return instances.size();
  }
}

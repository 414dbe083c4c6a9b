package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last instances that ended, kept for questions, retries and reruns within a number and a size;
 * the oldest are forgotten first.
 */
final class EndedInstances {
  private final int maxCount;
  private final long maxBytes;
  private final Map<InstanceId, EndedInstance> instances = new LinkedHashMap<>();
  private final Set<InstanceId> unjournalled = new HashSet<>();
  private long bytes;

  EndedInstances(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /** Keeps an instance that nothing is to be left of after a crash. */
  void addUnjournalled(EndedInstance instance) {
    unjournalled.add(instance.view.id());
    add(instance);
  }

  void add(EndedInstance instance) {
    EndedInstance before = instances.put(instance.view.id(), instance);
    bytes += instance.weight() - (before == null ? 0 : before.weight());
    while (!instances.isEmpty() && (instances.size() > maxCount || bytes > maxBytes)) {
      remove(instances.keySet().iterator().next());
    }
  }

  /** Forgets an instance, if it is kept. */
  void remove(InstanceId id) {
    EndedInstance removed = instances.remove(id);
    if (removed != null) {
      unjournalled.remove(id);
      bytes -= removed.weight();
    }
  }

  /** Forgets those of some partitions. */
  void remove(BitSet partitions) {
    List<InstanceId> gone =
        instances.keySet().stream().filter(id -> partitions.get(id.partition())).toList();
    gone.forEach(this::remove);
  }

  @Nullable EndedInstance find(InstanceId id) {
    return instances.get(id);
  }

  /** What is told of an instance, or null. */
  @Nullable InstanceView view(InstanceId id) {
    EndedInstance instance = find(id);
    return instance == null ? null : instance.view;
  }

  Iterable<EndedInstance> all() {
    return instances.values();
  }

  /** A copy of those that are to be there after a crash, the oldest first. */
  List<EndedInstance> journalled() {
    return instances.values().stream()
        .filter(instance -> !unjournalled.contains(instance.view.id()))
        .toList();
  }

  int size() {
    return instances.size();
  }
}

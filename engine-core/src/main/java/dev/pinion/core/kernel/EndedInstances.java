package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.WorkflowError;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last instances that ended, kept for questions within a number and a size; the oldest are
 * forgotten first.
 */
final class EndedInstances {
  private static final long FIXED = 256;

  private final int maxCount;
  private final long maxBytes;
  private final Map<InstanceId, InstanceView> views = new LinkedHashMap<>();
  private final Set<InstanceId> unjournalled = new HashSet<>();
  private long bytes;

  EndedInstances(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  /** Keeps what is told of an instance that nothing is to be left of after a crash. */
  void addUnjournalled(InstanceView view) {
    unjournalled.add(view.id());
    add(view);
  }

  void add(InstanceView view) {
    views.put(view.id(), view);
    bytes += weight(view);
    while (!views.isEmpty() && (views.size() > maxCount || bytes > maxBytes)) {
      InstanceView oldest = views.values().iterator().next();
      views.remove(oldest.id());
      unjournalled.remove(oldest.id());
      bytes -= weight(oldest);
    }
  }

  /** Forgets those of some partitions. */
  void remove(BitSet partitions) {
    List<InstanceView> gone =
        views.values().stream().filter(view -> partitions.get(view.id().partition())).toList();
    for (InstanceView view : gone) {
      views.remove(view.id());
      unjournalled.remove(view.id());
      bytes -= weight(view);
    }
  }

  @Nullable InstanceView find(InstanceId id) {
    return views.get(id);
  }

  Iterable<InstanceView> all() {
    return views.values();
  }

  /** A copy of those that are to be there after a crash, the oldest first. */
  List<InstanceView> journalled() {
    return views.values().stream().filter(view -> !unjournalled.contains(view.id())).toList();
  }

  int size() {
    return views.size();
  }

  private static long weight(InstanceView view) {
    WorkflowError error = view.error();
    return FIXED
        + (view.output() == null ? 0 : view.output().weight())
        + (error == null ? 0 : length(error.title()) + length(error.detail()));
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}

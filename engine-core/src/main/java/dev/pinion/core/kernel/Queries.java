package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Answers lists over the instances of one kernel. */
final class Queries {
  private Queries() {}

  /**
   * The newest instances that a filter lets through, newest first. Looks at every instance the
   * kernel holds.
   */
  static List<InstanceView> newest(
      KernelQuery.ListInstances query, Iterable<Instance> running, EndedInstances ended) {
    PriorityQueue<InstanceView> newest =
        new PriorityQueue<>(Comparator.comparing(InstanceView::id));
    for (Instance instance : running) {
      if (isBefore(query, instance.id)) {
        offer(newest, query, instance.view());
      }
    }
    for (InstanceView view : ended.all()) {
      if (isBefore(query, view.id())) {
        offer(newest, query, view);
      }
    }
    List<InstanceView> result = new ArrayList<>(newest);
    result.sort(Comparator.comparing(InstanceView::id).reversed());
    return result;
  }

  private static boolean isBefore(KernelQuery.ListInstances query, InstanceId id) {
    return query.before() == null || id.compareTo(query.before()) < 0;
  }

  private static void offer(
      PriorityQueue<InstanceView> newest, KernelQuery.ListInstances query, InstanceView view) {
    if (matches(query, view)) {
      newest.add(view);
      if (newest.size() > query.limit()) {
        newest.remove();
      }
    }
  }

  private static boolean matches(KernelQuery.ListInstances query, InstanceView view) {
    return (query.namespace() == null || query.namespace().equals(view.definition().namespace()))
        && (query.name() == null || query.name().equals(view.definition().name()))
        && (query.state() == null || query.state() == view.state());
  }
}

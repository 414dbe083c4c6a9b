package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.ListenState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the instances of a kernel listen to, by namespace, type, filter, and the values that they
 * expect. An event is compared with the filters of its type, not with every instance.
 */
public final class ListenerIndex {
  private final IdentityHashMap<Activity, Listener> listeners = new IdentityHashMap<>();
  private final Map<String, NamespaceFilters> namespaces = new HashMap<>();

  /** Filters of one namespace. */
  private static final class NamespaceFilters {
    private final IdentityHashMap<EventFilter, FilterGroup> groups = new IdentityHashMap<>();
    private final Map<String, List<FilterGroup>> byType = new HashMap<>();
    private final List<FilterGroup> untyped = new ArrayList<>();

    FilterGroup group(EventFilter filter) {
      FilterGroup known = groups.get(filter);
      if (known != null) {
        return known;
      }
      FilterGroup group = new FilterGroup(filter);
      groups.put(filter, group);
      String type = filter.type();
      (type == null ? untyped : byType.computeIfAbsent(type, _ -> new ArrayList<>(1))).add(group);
      return group;
    }

    void drop(FilterGroup group) {
      groups.remove(group.filter);
      String type = group.filter.type();
      List<FilterGroup> list = type == null ? untyped : byType.get(type);
      if (list != null && list.remove(group) && list.isEmpty() && type != null) {
        byType.remove(type);
      }
    }
  }

  /** Creates an empty index. */
  public ListenerIndex() {}

  /** Number of activities that listen. */
  public int size() {
    return listeners.size();
  }

  /**
   * Adds an activity that listens.
   *
   * @param after position behind which events count, or {@link Listener#RESTORED}
   * @param sinceMillis time from which events count in that case
   * @return null when it is in the index
   */
  @Nullable Listener add(Activity activity, long after, long sinceMillis) {
    ListenState state = activity.listening();
    if (state == null || state.isClosed() || listeners.containsKey(activity)) {
      return null;
    }
    Listener listener = new Listener(activity, state, after, sinceMillis);
    listeners.put(activity, listener);
    NamespaceFilters filters =
        namespaces.computeIfAbsent(listener.namespace(), _ -> new NamespaceFilters());
    List<EventFilter> all = listener.task().filters();
    for (int filter = 0; filter < all.size(); filter++) {
      if (!state.isDone(filter)) {
        filters.group(all.get(filter)).add(listener, filter);
      }
    }
    return listener;
  }

  /** The entry of an activity, or null. */
  @Nullable Listener find(Activity activity) {
    return listeners.get(activity);
  }

  /** Removes one filter of an activity. */
  void remove(Activity activity, int filter) {
    Listener listener = listeners.get(activity);
    if (listener != null) {
      remove(listener, filter);
    }
  }

  /** Removes an activity; returns null when it was not in the index. */
  @Nullable Listener remove(Activity activity) {
    Listener listener = listeners.remove(activity);
    if (listener != null) {
      for (int filter = 0; filter < listener.subscriptions.length; filter++) {
        remove(listener, filter);
      }
    }
    return listener;
  }

  private void remove(Listener listener, int filter) {
    FilterSubscription subscription = listener.subscriptions[filter];
    if (subscription == null) {
      return;
    }
    listener.subscriptions[filter] = null;
    FilterGroup group = subscription.list.group;
    group.remove(subscription);
    NamespaceFilters filters = namespaces.get(listener.namespace());
    if (group.isEmpty() && filters != null) {
      filters.drop(group);
      if (filters.groups.isEmpty()) {
        namespaces.remove(listener.namespace());
      }
    }
  }

  /** Whether an activity is in the index as this listener. */
  @SuppressWarnings("ReferenceEquality") // an activity may listen again
  boolean holds(Listener listener) {
    return listeners.get(listener.activity) == listener;
  }

  /** The filters that an event of a namespace and a type may pass. */
  List<FilterGroup> candidates(String namespace, String type) {
    NamespaceFilters filters = namespaces.get(namespace);
    if (filters == null) {
      return List.of();
    }
    List<FilterGroup> candidates = new ArrayList<>(filters.byType.getOrDefault(type, List.of()));
    candidates.addAll(filters.untyped);
    return List.copyOf(candidates);
  }
}

package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions of a namespace with one filter of one task: what the filter asks of an event
 * alone is asked once for all of them, and those that expect a value are found by it.
 */
final class FilterGroup {
  final EventFilter filter;

  /** Subscriptions without keys; empty when the filter has keys. */
  private final FilterSubscriptions all = new FilterSubscriptions(this, null);

  /** In an order, so that the first is found at once, however many there were before. */
  private final SequencedMap<String, FilterSubscriptions> byKey = new LinkedHashMap<>(0);

  private int size;

  FilterGroup(EventFilter filter) {
    this.filter = filter;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The listener of one of the subscriptions, or null when there are none. */
  @Nullable Listener any() {
    Map.Entry<String, FilterSubscriptions> first = byKey.firstEntry();
    return first == null ? all.first() : first.getValue().first();
  }

  /** The subscriptions that expect a key, or all where there are no keys; null for none. */
  @Nullable FilterSubscriptions find(@Nullable String key) {
    return key == null ? all : byKey.get(key);
  }

  void add(Listener listener, int number) {
    String key = listener.state.key(number);
    FilterSubscriptions list =
        key == null ? all : byKey.computeIfAbsent(key, each -> new FilterSubscriptions(this, each));
    FilterSubscription subscription = new FilterSubscription(listener, number, list);
    list.add(subscription);
    listener.subscriptions[number] = subscription;
    size++;
  }

  void remove(FilterSubscription subscription) {
    FilterSubscriptions list = subscription.list;
    list.remove(subscription);
    if (list.key != null && list.size() == 0) {
      byKey.remove(list.key);
    }
    size--;
  }
}

package dev.pinion.core.kernel.listen;

import dev.pinion.core.graph.EventFilter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions of a namespace with one filter of one task: what the filter asks of an event
 * alone is asked once for all of them, and those that expect a value are found by it.
 */
final class FilterGroup {
  final EventFilter filter;

  /** Subscriptions without keys; empty when the filter has keys. */
  private final SubscriptionList all = new SubscriptionList(this, null);

  private final Map<String, SubscriptionList> byKey = new HashMap<>(0);
  private int size;

  FilterGroup(EventFilter filter) {
    this.filter = filter;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The listener of one of the subscriptions, or null when there are none. */
  @Nullable Listener any() {
    for (SubscriptionList list : byKey.values()) {
      return list.first();
    }
    return all.first();
  }

  /** The subscriptions that expect a key, or all where there are no keys; null for none. */
  @Nullable SubscriptionList find(@Nullable String key) {
    return key == null ? all : byKey.get(key);
  }

  void add(Listener listener, int number) {
    String key = listener.state.key(number);
    SubscriptionList list =
        key == null ? all : byKey.computeIfAbsent(key, each -> new SubscriptionList(this, each));
    Subscription subscription = new Subscription(listener, number, list);
    list.add(subscription);
    listener.subscriptions[number] = subscription;
    size++;
  }

  void remove(Subscription subscription) {
    SubscriptionList list = subscription.list;
    list.remove(subscription);
    if (list.key != null && list.size() == 0) {
      byKey.remove(list.key);
    }
    size--;
  }
}

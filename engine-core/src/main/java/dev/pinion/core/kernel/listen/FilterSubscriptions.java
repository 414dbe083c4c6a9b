package dev.pinion.core.kernel.listen;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions that one event may concern, without order. They may come and go while a pass looks
 * at one after the other: it sees each that is there from its begin to its end exactly once.
 */
final class FilterSubscriptions {
  private static final FilterSubscription[] NONE = {};

  /** The filter that they share. */
  final FilterGroup group;

  /** The value that they expect, or null when they expect none. */
  final @Nullable String key;

  private @Nullable FilterSubscription[] items = NONE;
  private int size;

  /** Number of subscriptions that the pass has seen: those in front. */
  private int seen;

  FilterSubscriptions(FilterGroup group, @Nullable String key) {
    this.group = group;
    this.key = key;
  }

  int size() {
    return size;
  }

  /** The listener of the first subscription; null for none. */
  @Nullable Listener first() {
    return size == 0 ? null : Objects.requireNonNull(items[0]).listener;
  }

  void add(FilterSubscription subscription) {
    if (size == items.length) {
      items = Arrays.copyOf(items, Math.max(1, size * 2));
    }
    put(size++, subscription);
  }

  void remove(FilterSubscription subscription) {
    int hole = subscription.index;
    if (hole < seen) {
      move(--seen, hole);
      hole = seen;
    }
    move(--size, hole);
    items[size] = null;
  }

  private void move(int from, int to) {
    put(to, Objects.requireNonNull(items[from]));
  }

  private void put(int index, FilterSubscription subscription) {
    items[index] = subscription;
    subscription.index = index;
  }

  /** Begins a pass. */
  void beginPass() {
    seen = 0;
  }

  /** The next subscription of the pass; null at its end. */
  @Nullable FilterSubscription next() {
    return seen < size ? items[seen++] : null;
  }
}

package dev.pinion.core.kernel.listen;

/** One filter of a listener, in the list of those that are looked at together. */
final class Subscription {
  final Listener listener;
  final int filter;
  final SubscriptionList list;

  /** Its index in the list. */
  int index;

  Subscription(Listener listener, int filter, SubscriptionList list) {
    this.listener = listener;
    this.filter = filter;
    this.list = list;
  }
}

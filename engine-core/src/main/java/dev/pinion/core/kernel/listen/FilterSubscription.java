package dev.pinion.core.kernel.listen;

/** One filter of a listener, in the list of those that are looked at together. */
final class FilterSubscription {
  final Listener listener;
  final int filter;
  final FilterSubscriptions list;

  /** Its index in the list. */
  int index;

  FilterSubscription(Listener listener, int filter, FilterSubscriptions list) {
    this.listener = listener;
    this.filter = filter;
    this.list = list;
  }
}

package dev.pinion.broker.monitor;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums up calls by service and class over a period, to be stored. One thread at a time. */
final class Ledger {
  /** The most pairs of service and class reported for a period: those with the most calls. */
  static final int MAX_ENTRIES = 1_000;

  private final Map<Key, Tally> sums = new HashMap<>();

  private record Key(String service, String serviceClass) {}

  /** Adds calls; those of pairs without room are dropped. */
  void add(Batch.ServiceSample sample) {
    Key key = new Key(sample.service(), sample.serviceClass());
    if (sums.containsKey(key) || sums.size() < Observations.MAX_CELLS) {
      sums.merge(key, sample.tally(), Tally::plus);
    }
  }

  /** Takes the calls added since the last time, the most calls first. */
  List<Entry> take() {
    List<Entry> entries =
        sums.entrySet().stream()
            .map(
                each ->
                    new Entry(
                        each.getKey().service(), each.getKey().serviceClass(), each.getValue()))
            .sorted(
                Comparator.comparingDouble((Entry each) -> each.tally().count())
                    .reversed()
                    .thenComparing(Entry::service)
                    .thenComparing(Entry::serviceClass))
            .limit(MAX_ENTRIES)
            .toList();
    sums.clear();
    return entries;
  }
}

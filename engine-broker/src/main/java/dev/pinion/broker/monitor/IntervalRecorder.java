package dev.pinion.broker.monitor;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums up calls by service and class over a period, to be stored. One thread at a time. */
final class IntervalRecorder {
  /** The most pairs of service and class reported for a period: those with the most calls. */
  static final int MAX_ENTRIES = 1_000;

  private final Map<IntervalKey, CallStatistics> sums = new HashMap<>();

  private record IntervalKey(String service, String serviceClass) {}

  /** Adds calls; those of pairs without room are dropped. */
  void add(ObservationBatch.ServiceSample sample) {
    IntervalKey intervalKey = new IntervalKey(sample.service(), sample.serviceClass());
    if (sums.containsKey(intervalKey) || sums.size() < ObservationCollector.MAX_CELLS) {
      sums.merge(intervalKey, sample.tally(), CallStatistics::plus);
    }
  }

  /** Takes the calls added since the last time, the most calls first. */
  List<IntervalStatistics> take() {
    List<IntervalStatistics> entries =
        sums.entrySet().stream()
            .map(
                each ->
                    new IntervalStatistics(
                        each.getKey().service(), each.getKey().serviceClass(), each.getValue()))
            .sorted(
                Comparator.comparingDouble((IntervalStatistics each) -> each.tally().count())
                    .reversed()
                    .thenComparing(IntervalStatistics::service)
                    .thenComparing(IntervalStatistics::serviceClass))
            .limit(MAX_ENTRIES)
            .toList();
    sums.clear();
    return entries;
  }
}

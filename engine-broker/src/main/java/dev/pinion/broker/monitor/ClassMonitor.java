package dev.pinion.broker.monitor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Arrivals, levels and paths of a class. One thread at a time.
 *
 * <p>Paths: invocations of each abstract service and requests are both halved every minute, so that
 * the quotient is of the same requests except for those under way. So are the sums of {@link
 * TimeBreakdown}.
 */
final class ClassMonitor {
  /** Seconds of {@link ClassStatistics#arrivals}. */
  static final int MINUTE = 60;

  /** Seconds of {@link ClassStatistics#levels}. */
  static final int LEVEL_SECONDS = 300;

  private static final double HALF_LIFE_SECONDS = 60;

  /** Seconds of calls that are negligible for any requests. */
  private static final double NO_SECONDS = 1e-3;

  private final SlidingWindow arrivals = new SlidingWindow(MINUTE);
  private final SlidingWindow recent = new SlidingWindow(MINUTE);
  private final SlidingWindow levels = new SlidingWindow(LEVEL_SECONDS);
  private final Map<String, Double> invocations = new HashMap<>();
  private final Map<String, Double> calls = new HashMap<>();
  private CallStatistics ended = CallStatistics.NONE;
  private double requests;
  private double lastSeconds;

  void add(ObservationBatch.ClassSample sample, double nowSeconds) {
    arrivals.add(new CallStatistics((double) sample.begun(), 0, 0, 0), nowSeconds);
    recent.add(sample.ended(), nowSeconds);
    levels.add(sample.ended(), nowSeconds);
    age(nowSeconds);
    requests += sample.begun();
    ended = ended.plus(sample.ended());
    sample
        .invocations()
        .forEach((name, count) -> invocations.merge(name, (double) count, Double::sum));
  }

  /** Adds calls of a concrete service for the class. */
  void called(String service, CallStatistics callStatistics, double nowSeconds) {
    age(nowSeconds);
    calls.merge(service, callStatistics.seconds(), Double::sum);
  }

  /** Services with calls in the sums. */
  Set<String> called() {
    return calls.keySet();
  }

  /**
   * Drops calls of services that are not registered any more, once they are negligible: they are
   * part of the time of requests that are in the sums, too.
   */
  void retain(Collection<String> services) {
    calls
        .entrySet()
        .removeIf(each -> each.getValue() < NO_SECONDS && !services.contains(each.getKey()));
  }

  private void age(double nowSeconds) {
    double age = Math.max(0, nowSeconds - lastSeconds);
    double left = Math.exp(-age * Math.log(2) / HALF_LIFE_SECONDS);
    requests *= left;
    ended = ended.times(left);
    invocations.replaceAll((_, count) -> left * count);
    calls.replaceAll((_, seconds) -> left * seconds);
    lastSeconds = nowSeconds;
  }

  ClassStatistics levels(double nowSeconds) {
    Map<String, Double> visits = new HashMap<>();
    if (requests > 0) {
      invocations.forEach((name, count) -> visits.put(name, count / requests));
    }
    double span = arrivals.span(nowSeconds);
    return new ClassStatistics(
        span > 0 ? arrivals.sum(nowSeconds).count() / span : 0,
        levels.sum(nowSeconds),
        recent.sum(nowSeconds),
        LatencyTrend.of(recent.seconds(nowSeconds), nowSeconds),
        levels.span(nowSeconds),
        new ClassStatistics.VisitStatistics(requests, visits),
        new TimeBreakdown(ended, calls));
  }
}

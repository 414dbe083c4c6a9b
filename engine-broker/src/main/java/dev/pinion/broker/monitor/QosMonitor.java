package dev.pinion.broker.monitor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The quality of concrete services, by class and all together: decayed mean and failure rate,
 * percentiles of the last one to two minutes. One thread at a time.
 */
final class QosMonitor {
  /** Interval after which percentiles start over; the previous ones count for another one. */
  static final double TURN_SECONDS = 60;

  private static final int DIGITS = 2;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MEDIAN = 50;
  private static final double NINETY_FIVE = 95;
  private static final double NINETY_NINE = 99;

  private final Map<String, Map<String, MonitoredService>> watched = new TreeMap<>();
  private int cells;

  /** A service, for a class. */
  private static final class MonitoredService {
    final DecayingStatistics recent = new DecayingStatistics();
    long total;
    double answered = Double.NEGATIVE_INFINITY;
    Histogram before = new Histogram(DIGITS);
    Histogram now = new Histogram(DIGITS);
    double turned = Double.NEGATIVE_INFINITY;

    void add(CallStatistics callStatistics, Histogram micros, double nowSeconds) {
      recent.add(callStatistics, nowSeconds);
      total += Math.round(callStatistics.count());
      if (callStatistics.count() > callStatistics.failures()) {
        answered = nowSeconds;
      }
      if (nowSeconds - turned >= TURN_SECONDS) {
        before = nowSeconds - turned < 2 * TURN_SECONDS ? now : new Histogram(DIGITS);
        now = new Histogram(DIGITS);
        turned = nowSeconds;
      }
      now.add(micros);
    }

    ServiceQuality quality(String service, String serviceClass) {
      Histogram both = before.copy();
      both.add(now);
      return new ServiceQuality(
          service,
          serviceClass,
          recent.tally(),
          total,
          new ServiceQuality.LatencyPercentiles(
              both.getValueAtPercentile(MEDIAN) / MICROS_PER_SECOND,
              both.getValueAtPercentile(NINETY_FIVE) / MICROS_PER_SECOND,
              both.getValueAtPercentile(NINETY_NINE) / MICROS_PER_SECOND),
          recent.lastSeconds());
    }
  }

  /**
   * Adds calls.
   *
   * @return whether there was room for them
   */
  boolean add(ObservationBatch.ServiceSample sample, double nowSeconds) {
    Map<String, MonitoredService> ofService =
        watched.computeIfAbsent(sample.service(), _ -> new HashMap<>());
    MonitoredService all = cell(ofService, "");
    MonitoredService ofClass = cell(ofService, sample.serviceClass());
    if (all == null || ofClass == null) {
      return false;
    }
    all.add(sample.tally(), sample.micros(), nowSeconds);
    ofClass.add(sample.tally(), sample.micros(), nowSeconds);
    return true;
  }

  private @Nullable MonitoredService cell(Map<String, MonitoredService> map, String key) {
    MonitoredService known = map.get(key);
    if (known == null && cells < 2 * ObservationCollector.MAX_CELLS) {
      cells++;
      known = new MonitoredService();
      map.put(key, known);
    }
    return known;
  }

  /** A service for all classes together; empty when it was never seen. */
  Optional<ServiceQuality> of(String service) {
    return of(service, "");
  }

  private Optional<ServiceQuality> of(String service, String serviceClass) {
    Map<String, MonitoredService> ofService = watched.getOrDefault(service, Map.of());
    return Optional.ofNullable(ofService.get(serviceClass))
        .map(each -> each.quality(service, serviceClass));
  }

  /** Time of the last report of a successful call of a service; long ago when there was none. */
  double answered(String service) {
    MonitoredService all = watched.getOrDefault(service, Map.of()).get("");
    return all == null ? Double.NEGATIVE_INFINITY : all.answered;
  }

  /** A service by class, and first for all of them together. */
  List<ServiceQuality> all(String service) {
    List<ServiceQuality> all = new ArrayList<>();
    watched.getOrDefault(service, Map.of()).keySet().stream()
        .sorted()
        .forEach(each -> of(service, each).ifPresent(all::add));
    return all;
  }

  /** Drops the observations of a service: it starts over. */
  void forget(String service) {
    Map<String, MonitoredService> gone = watched.remove(service);
    cells -= gone == null ? 0 : gone.size();
  }

  /** Drops services that are not registered any more. */
  void retain(Collection<String> services) {
    List.copyOf(watched.keySet()).stream()
        .filter(each -> !services.contains(each))
        .forEach(this::forget);
  }
}

package dev.pinion.broker.monitor;

import dev.pinion.core.spi.CallObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens in a replica. Any number of threads observe, without locks and, once a
 * service and a class are known, without allocation; one takes what was counted, now and then.
 */
public final class Observations implements CallObserver {
  /** The most pairs of service and class, and the most of class and abstract service. */
  public static final int MAX_CELLS = 4_096;

  /** Times beyond this count as this: a day, in µs. */
  static final long MAX_MICROS = 86_400_000_000L;

  private static final int DIGITS = 2;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final long NANOS_PER_MICRO = 1_000;

  private final UnaryOperator<@Nullable String> classes;
  private final Map<String, Requests> requests = new ConcurrentHashMap<>();
  private final AtomicInteger cells = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();

  /**
   * Nothing observed yet.
   *
   * @param classes the class that a caller of a class, or of none, is bound as; never null. Few: a
   *     client's word must not make classes
   */
  public Observations(UnaryOperator<@Nullable String> classes) {
    this.classes = classes;
  }

  /** Sums that many threads add to. */
  private static final class Sums {
    final LongAdder count = new LongAdder();
    final LongAdder failures = new LongAdder();
    final DoubleAdder seconds = new DoubleAdder();
    final DoubleAdder squares = new DoubleAdder();

    void add(double time, boolean success) {
      count.increment();
      seconds.add(time);
      squares.add(time * time);
      if (!success) {
        failures.increment();
      }
    }

    Tally take() {
      return new Tally(
          (double) count.sumThenReset(),
          (double) failures.sumThenReset(),
          seconds.sumThenReset(),
          squares.sumThenReset());
    }
  }

  /** Of a concrete service, for a class. */
  private static final class Calls {
    final Sums sums = new Sums();
    final Recorder micros = new Recorder(DIGITS);
  }

  /** Of a class. */
  private static final class Requests {
    final LongAdder begun = new LongAdder();
    final Sums ended = new Sums();
    final Map<String, LongAdder> invocations = new ConcurrentHashMap<>();
    final Map<String, Calls> services = new ConcurrentHashMap<>();
  }

  @Override
  public void begun(@Nullable String serviceClass) {
    Requests found = requests(serviceClass);
    if (found != null) {
      found.begun.increment();
    }
  }

  @Override
  public void invoked(String abstractService, @Nullable String serviceClass) {
    Requests found = requests(serviceClass);
    LongAdder counter =
        found == null ? null : cell(found.invocations, abstractService, _ -> new LongAdder());
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void called(String service, @Nullable String serviceClass, long nanos, boolean success) {
    Requests found = requests(serviceClass);
    Calls calls = found == null ? null : cell(found.services, service, _ -> new Calls());
    if (calls != null) {
      long micros = Math.min(nanos / NANOS_PER_MICRO, MAX_MICROS);
      calls.micros.recordValue(micros);
      calls.sums.add(micros / MICROS_PER_SECOND, success);
    }
  }

  @Override
  public void ended(@Nullable String serviceClass, long millis, boolean success) {
    Requests found = requests(serviceClass);
    if (found != null) {
      found.ended.add(millis / MILLIS_PER_SECOND, success);
    }
  }

  private @Nullable Requests requests(@Nullable String serviceClass) {
    String name = classes.apply(serviceClass);
    return name == null ? null : cell(requests, name, _ -> new Requests());
  }

  /** What there is of a key, or is made; null, and counted, when there is no room. */
  private <T> @Nullable T cell(Map<String, T> map, String key, Function<String, T> made) {
    T known = map.get(key);
    if (known != null) {
      return known;
    }
    if (cells.incrementAndGet() > MAX_CELLS) {
      cells.decrementAndGet();
      dropped.increment();
      return null;
    }
    return map.computeIfAbsent(key, made);
  }

  /** Takes what was counted since the last time. One thread. */
  public Batch take() {
    List<Batch.ServiceSample> ofServices = new ArrayList<>();
    List<Batch.ClassSample> ofClasses = new ArrayList<>();
    requests.forEach(
        (serviceClass, each) -> {
          each.services.forEach(
              (service, calls) -> {
                Tally tally = calls.sums.take();
                Histogram micros = calls.micros.getIntervalHistogram();
                if (tally.count() > 0) {
                  ofServices.add(new Batch.ServiceSample(service, serviceClass, tally, micros));
                }
              });
          Batch.ClassSample sample = sample(serviceClass, each);
          if (sample.begun() > 0 || sample.ended().count() > 0 || !sample.invocations().isEmpty()) {
            ofClasses.add(sample);
          }
        });
    return new Batch(ofServices, ofClasses, dropped.sumThenReset());
  }

  private static Batch.ClassSample sample(String serviceClass, Requests requests) {
    Map<String, Long> invocations = new HashMap<>();
    requests.invocations.forEach(
        (service, counter) -> {
          long count = counter.sumThenReset();
          if (count > 0) {
            invocations.put(service, count);
          }
        });
    return new Batch.ClassSample(
        serviceClass, requests.begun.sumThenReset(), requests.ended.take(), invocations);
  }
}

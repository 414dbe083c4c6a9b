package dev.pinion.broker.binding;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The counters of a node, which stay the same across plans. A task has its own constant, the same
 * for all classes; each class counts separately. The front, which decides whether a request is
 * served at all, counts like a task. Thread-safe; used while a plan is made, not while it is in
 * use.
 */
public final class KroneckerCounters {
  private final LongSupplier starts;
  private final Map<String, Long> alphas = new HashMap<>();
  private final Map<CounterKey, KroneckerCounter> counters = new HashMap<>();

  private final Map<String, LongAdder> shed = new TreeMap<>();

  private record CounterKey(String serviceClass, String task) {}

  /** Counter name of the front, which no task can have. */
  private static final String FRONT = "";

  /**
   * No counters yet.
   *
   * @param starts random first numbers
   */
  public KroneckerCounters(LongSupplier starts) {
    this.starts = starts;
  }

  /** The counter of a task for a class; always the same one. */
  synchronized KroneckerCounter of(String serviceClass, String task) {
    return counters.computeIfAbsent(
        new CounterKey(serviceClass, task),
        _ -> new KroneckerCounter(alpha(task), starts.getAsLong()));
  }

  /** Counts the requests of a class that were not served. */
  synchronized LongAdder shed(String serviceClass) {
    return shed.computeIfAbsent(serviceClass, _ -> new LongAdder());
  }

  /** The requests that were not served, by class; none of classes served as a whole. */
  public synchronized SortedMap<String, Long> shed() {
    SortedMap<String, Long> sums = new TreeMap<>();
    shed.forEach((serviceClass, sum) -> sums.put(serviceClass, sum.sum()));
    return sums;
  }

  /** The counter of the front for a class. */
  KroneckerCounter ofFront(String serviceClass) {
    return of(serviceClass, FRONT);
  }

  private long alpha(String task) {
    return alphas.computeIfAbsent(task, _ -> KroneckerCounter.alpha(alphas.size()));
  }
}

package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjLongConsumer;

/**
 * Scales samples of CPU time to the time that the operating system accounts to their thread, where
 * that is known: samples say what the time went into, not how much it was. For one recording and
 * thread.
 */
final class CpuScale {
  private final Map<Long, long[]> sampled = new HashMap<>();
  private final Map<Long, Accounted> accounted = new HashMap<>();

  private record Accounted(String name, long nanos) {}

  /** A sample that stands for some time of a thread. */
  void sampled(long thread, long nanos) {
    Objects.requireNonNull(sampled.computeIfAbsent(thread, _ -> new long[1]))[0] += nanos;
  }

  /** The time that the operating system accounts to a thread. */
  void accounted(long thread, String name, long nanos) {
    accounted.put(thread, new Accounted(name, nanos));
  }

  /** Whether the operating system accounts anything. */
  boolean isKnown() {
    return !accounted.isEmpty();
  }

  /** The time that a sample stands for, once all are known. */
  double weight(long thread, long nanos) {
    Accounted all = accounted.get(thread);
    long[] sum = sampled.get(thread);
    return all == null || sum == null || sum[0] == 0
        ? nanos
        : (double) nanos * all.nanos() / sum[0];
  }

  /** Tells of threads that were not sampled: those of the JVM, and those that hardly worked. */
  void forEachUnsampled(ObjLongConsumer<String> nameAndNanos) {
    accounted.forEach(
        (thread, time) -> {
          if (!sampled.containsKey(thread)) {
            nameAndNanos.accept(time.name(), time.nanos());
          }
        });
  }
}

package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjLongConsumer;

/**
 * Scales samples of CPU time to the time that the operating system accounts to their thread, where
 * known: samples show the use of the time, not its amount. For one recording, used by one thread.
 */
final class CpuTimeScaling {
  private final Map<Long, long[]> sampled = new HashMap<>();
  private final Map<Long, Accounted> accounted = new HashMap<>();

  private record Accounted(String name, long nanos) {}

  /** Adds a sample that stands for some time of a thread. */
  void sampled(long thread, long nanos) {
    Objects.requireNonNull(sampled.computeIfAbsent(thread, _ -> new long[1]))[0] += nanos;
  }

  /** Adds the time that the operating system accounts to a thread. */
  void accounted(long thread, String name, long nanos) {
    accounted.put(thread, new Accounted(name, nanos));
  }

  /** Whether there is any accounting of the operating system. */
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

  /** Reports threads without samples: those of the JVM, and those with hardly any work. */
  void forEachUnsampled(ObjLongConsumer<String> nameAndNanos) {
    accounted.forEach(
        (thread, time) -> {
          if (!sampled.containsKey(thread)) {
            nameAndNanos.accept(time.name(), time.nanos());
          }
        });
  }
}

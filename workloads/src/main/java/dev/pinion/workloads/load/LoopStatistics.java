package dev.pinion.workloads.load;

import dev.pinion.workloads.load.ResponseCheck.Problem;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts of the clients of one event loop. Used on that loop only. */
final class LoopStatistics {
  /** Most kinds of errors that are distinguished; further ones count as {@code other}. */
  static final int MAX_KINDS = 64;

  private final Histogram latencies = new Histogram(3);
  private final Histogram lags = new Histogram(3);
  private final Map<String, Long> errors = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private long sent;
  private long inTime;
  private long unmeasured;
  private long reconnects;
  private long late;
  private long startedAtNanos;
  private long endedAtNanos;
  private long cpuNanosBefore;
  private long cpuNanos;

  void onMeasuringFrom(long nowNanos, long cpuNanosSoFar) {
    startedAtNanos = nowNanos;
    endedAtNanos = nowNanos;
    cpuNanosBefore = cpuNanosSoFar;
  }

  void onMeasuringTo(long nowNanos, long cpuNanosSoFar) {
    endedAtNanos = nowNanos;
    cpuNanos = cpuNanosSoFar - cpuNanosBefore;
  }

  void onSent() {
    sent++;
  }

  void onMeasured(long latencyNanos, boolean afterTheEnd) {
    latencies.recordValue(Math.max(0, latencyNanos));
    late += afterTheEnd ? 1 : 0;
  }

  void onInTime() {
    inTime++;
  }

  void onLag(long nanos) {
    lags.recordValue(Math.max(0, nanos));
  }

  void onUnmeasured() {
    unmeasured++;
  }

  void onReconnect() {
    reconnects++;
  }

  void onError(Problem problem) {
    String kind =
        errors.containsKey(problem.kind()) || errors.size() < MAX_KINDS ? problem.kind() : "other";
    errors.merge(kind, 1L, Long::sum);
    examples.putIfAbsent(kind, problem.detail());
  }

  /** A copy for other threads. */
  LoadResult result() {
    long elapsedNanos = endedAtNanos - startedAtNanos;
    return new LoadResult(
        latencies.copy(),
        inTime,
        late,
        elapsedNanos,
        new GeneratorLoad(elapsedNanos == 0 ? 0 : (double) cpuNanos / elapsedNanos, lags.copy()),
        sent,
        unmeasured,
        reconnects,
        errors,
        examples);
  }
}

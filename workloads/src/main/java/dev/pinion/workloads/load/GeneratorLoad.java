package dev.pinion.workloads.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Load of the generator itself, which shows whether it had time to spare.
 *
 * @param busiestLoop share of a core that its busiest event loop used
 * @param lags delays of its scheduled actions, in ns: arrivals, ends of think times, and a tick
 *     every 10 ms; not to be modified
 */
public record GeneratorLoad(double busiestLoop, Histogram lags) {
  /** Share of a core from which on an event loop counts as the bottleneck. */
  public static final double BUSY = 0.9;

  /** Lag at p99 that always counts as none, in ms. */
  public static final double TOLERATED_LAG_MILLIS = 1;

  /** Tolerated lag at p99 beyond that, as a share of the median latency. */
  public static final double TOLERATED_SHARE = 0.1;

  /** A lag in ms; 0 when nothing was scheduled. */
  public double lagMillis(double percentile) {
    return lags.getValueAtPercentile(percentile) / 1e6;
  }

  /** Whether the generator had time to spare. */
  boolean keptUp(double medianLatencyMillis) {
    double tolerated = Math.max(TOLERATED_LAG_MILLIS, TOLERATED_SHARE * medianLatencyMillis);
    return busiestLoop < BUSY && lagMillis(99) <= tolerated;
  }

  GeneratorLoad plus(GeneratorLoad other) {
    Histogram sum = lags.copy();
    sum.add(other.lags);
    return new GeneratorLoad(Math.max(busiestLoop, other.busiestLoop), sum);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("busiestLoopCores", busiestLoop);
    json.putObject("lagMs")
        .put("p50", lagMillis(50))
        .put("p99", lagMillis(99))
        .put("max", lags.getMaxValue() / 1e6);
    return json;
  }

  /** Reason why it may not have kept up. */
  String doubt() {
    return busiestLoop < BUSY
        ? "requests were sent late, as on a busy machine or by a cold start: latencies contain it"
        : "the generator may have been the bottleneck: more --threads, or fewer clients";
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "generator: busiest event loop %.2f cores, lag p99 %.3f ms, max %.3f ms",
        busiestLoop,
        lagMillis(99),
        lags.getMaxValue() / 1e6);
  }
}

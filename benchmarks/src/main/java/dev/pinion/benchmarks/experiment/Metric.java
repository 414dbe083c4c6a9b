package dev.pinion.benchmarks.experiment;

/**
 * A measured quantity.
 *
 * @param name key in JSON and heading in tables
 * @param unit unit of every value
 * @param decimals significant digits after the point
 */
public record Metric(String name, String unit, int decimals) {
  /** Instances answered per second of the measurement. */
  public static final Metric THROUGHPUT = new Metric("throughput", "instances/s", 0);

  /** Processor time of the measured process, children included, for each instance answered. */
  public static final Metric CPU = new Metric("cpu", "µs/instance", 1);

  /** Median time from a request to its response. */
  public static final Metric P50 = new Metric("p50", "ms", 2);

  /** 99th percentile of the time from a request to its response. */
  public static final Metric P99 = new Metric("p99", "ms", 2);

  /** Wrong or missing responses; most variants allow none. */
  public static final Metric ERRORS = new Metric("errors", "requests", 0);

  /** Percentile of the time since a request was due. */
  public static Metric percentile(String percent) {
    return new Metric("p" + percent, "ms", 2);
  }

  /** Longest time from when a request was due to its response. */
  public static final Metric MAX = new Metric("max", "ms", 2);

  /** Share of a core that the busiest event loop of the load generator used. */
  public static final Metric GENERATOR = new Metric("generator", "cores", 2);

  /** Whether the metric is measured processor time, per any unit; simulated steps are not. */
  public boolean isProcessorTime() {
    return name.equals(CPU.name) && unit.startsWith("µs/");
  }
}

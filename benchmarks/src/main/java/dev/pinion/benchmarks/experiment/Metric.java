package dev.pinion.benchmarks.experiment;

/**
 * A quantity that is measured.
 *
 * @param name key in JSON and heading in tables
 * @param unit unit of every value
 * @param decimals digits after the point that mean something
 */
public record Metric(String name, String unit, int decimals) {
  /** Instances answered for each second of the measurement. */
  public static final Metric THROUGHPUT = new Metric("throughput", "instances/s", 0);

  /** Processor time of the measured process, children included, for each instance answered. */
  public static final Metric CPU = new Metric("cpu", "µs/instance", 1);

  /** Median time from a request to its answer. */
  public static final Metric P50 = new Metric("p50", "ms", 2);

  /** Time from a request to its answer that 99 of 100 requests stay below. */
  public static final Metric P99 = new Metric("p99", "ms", 2);

  /** Answers that were wrong or did not come; most variants allow none. */
  public static final Metric ERRORS = new Metric("errors", "requests", 0);

  /** Time from when a request was due that so many of 100 stay below. */
  public static Metric percentile(String percent) {
    return new Metric("p" + percent, "ms", 2);
  }

  /** The longest time from when a request was due to its answer. */
  public static final Metric MAX = new Metric("max", "ms", 2);

  /** Share of a core that the busiest event loop of the load generator used. */
  public static final Metric GENERATOR = new Metric("generator", "cores", 2);

  /**
   * Whether it is processor time that was measured, of whatever is counted: not simulated steps.
   */
  public boolean isProcessorTime() {
    return name.equals(CPU.name) && unit.startsWith("µs/");
  }
}

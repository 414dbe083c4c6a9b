package dev.pinion.workloads.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Result of a load. Every sent request is in exactly one category: a measured right response, an
 * unmeasured right response, or an error.
 *
 * @param latencies time from when a request was due to the end of its right response, in ns: in the
 *     closed model for requests sent and answered while measuring, in the open model for all that
 *     were due while measuring; not to be modified
 * @param inTime right responses within the measured time, whenever their requests were due
 * @param late number of latencies of responses after the measured time
 * @param elapsedNanos measured time
 * @param generator load of the generator itself
 * @param sent requests sent, within and outside the measured time
 * @param unmeasured right responses during the warm-up, or awaited after the end
 * @param reconnects connections that the server closed between two requests
 * @param errors number of each kind, within and outside the measured time
 * @param examples one example of each kind
 */
public record LoadResult(
    Histogram latencies,
    long inTime,
    long late,
    long elapsedNanos,
    GeneratorLoad generator,
    long sent,
    long unmeasured,
    long reconnects,
    Map<String, Long> errors,
    Map<String, String> examples) {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  /** Copies the maps. */
  public LoadResult {
    errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    examples = Collections.unmodifiableMap(new TreeMap<>(examples));
  }

  /** Right responses to measured requests. */
  public long rightResponses() {
    return latencies.getTotalCount();
  }

  /** Right responses, within and outside the measured time. */
  public long allAnswers() {
    return rightResponses() + unmeasured;
  }

  /** Errors of all kinds. */
  public long errorCount() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Right responses within the measured time, per second: also those to requests that were due
   * before it, which compensate for responses after it to requests due within it.
   */
  public double throughput() {
    return elapsedNanos == 0 ? 0 : inTime * 1e9 / elapsedNanos;
  }

  /** Whether the generator had time to spare, so that its measurement is the server's. */
  public boolean keptUp() {
    return generator.keptUp(latencyMillis(50));
  }

  /** A latency in ms; 0 without responses. */
  public double latencyMillis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e6;
  }

  /** The longest latency in ms; 0 without responses. */
  public double maxMillis() {
    return latencies.getMaxValue() / 1e6;
  }

  /** Combined result of two loads that ran side by side. */
  LoadResult plus(LoadResult other) {
    Histogram sum = latencies.copy();
    sum.add(other.latencies);
    Map<String, Long> allErrors = new TreeMap<>(errors);
    other.errors.forEach((kind, count) -> allErrors.merge(kind, count, Long::sum));
    Map<String, String> allExamples = new TreeMap<>(other.examples);
    allExamples.putAll(examples);
    return new LoadResult(
        sum,
        inTime + other.inTime,
        late + other.late,
        Math.max(elapsedNanos, other.elapsedNanos),
        generator.plus(other.generator),
        sent + other.sent,
        unmeasured + other.unmeasured,
        reconnects + other.reconnects,
        allErrors,
        allExamples);
  }

  /** The result for machines. Latencies in ms. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("throughput", throughput());
    json.put("answers", rightResponses());
    json.put("seconds", elapsedNanos / 1e9);
    ObjectNode latency = json.putObject("latencyMs");
    for (double percentile : PERCENTILES) {
      latency.put(label(percentile), latencyMillis(percentile));
    }
    latency.put("max", maxMillis());
    json.put("sent", sent).put("unmeasuredAnswers", unmeasured).put("reconnects", reconnects);
    json.put("lateAnswers", late);
    ObjectNode own = generator.toJson();
    json.set("generator", own.put("keptUp", keptUp()));
    json.put("errors", errorCount());
    ObjectNode kinds = json.putObject("errorsByKind");
    errors.forEach(kinds::put);
    ObjectNode cases = json.putObject("errorExamples");
    examples.forEach(cases::put);
    return json;
  }

  /** The head of a table with rows of {@link #row}. */
  public static String tableHead(String first) {
    return String.format(
        Locale.ROOT,
        "%-14s %10s %9s %9s %9s %9s %9s %8s",
        first,
        "answers/s",
        "p50 ms",
        "p90 ms",
        "p99 ms",
        "p99.9 ms",
        "max ms",
        "errors");
  }

  /** The result as a row of a table. */
  public String row(String name) {
    return String.format(
        Locale.ROOT,
        "%-14s %10.0f %9.3f %9.3f %9.3f %9.3f %9.3f %8d",
        name,
        throughput(),
        latencyMillis(50),
        latencyMillis(90),
        latencyMillis(99),
        latencyMillis(99.9),
        maxMillis(),
        errorCount());
  }

  /** The errors, a line for each kind; empty without errors. */
  public String errorLines() {
    StringBuilder lines = new StringBuilder();
    errors.forEach(
        (kind, count) ->
            lines.append(
                String.format(
                    Locale.ROOT, "  %d x %s, such as: %s%n", count, kind, examples.get(kind))));
    return lines.toString();
  }

  /** Load of the generator, in one sentence. */
  public String generatorLine() {
    return generator.line() + (keptUp() ? "" : "; " + generator.doubt());
  }

  private static String label(double percentile) {
    return percentile == Math.rint(percentile) ? "p" + (long) percentile : "p" + percentile;
  }
}

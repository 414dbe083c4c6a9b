package dev.pinion.core.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Present values of metrics, grouped by name for the export. Names are those of Prometheus: a
 * counter's ends with {@code _total}, and a unit is part of the name.
 *
 * <p>The first metric of a name decides its type and help: values of another type are left out, and
 * of two values with the same labels the later one stays.
 *
 * <p>Single-threaded; made anew for each export.
 */
public final class MetricFamilies {
  private static final String TOTAL = "_total";
  private static final String INFO = "_info";

  private final SortedMap<String, Family<?>> families = new TreeMap<>();

  /** Metrics that the library collects, by name. */
  private final Map<String, MetricSnapshot> collected = new HashMap<>();

  private int size;

  /** No metrics. */
  public MetricFamilies() {}

  /** Metrics of one name and type. */
  private record Family<P extends DataPointSnapshot>(
      Class<P> type,
      MetricMetadata metadata,
      SortedMap<Labels, P> points,
      BiFunction<MetricMetadata, Collection<P>, MetricSnapshot> snapshot) {
    MetricSnapshot toSnapshot() {
      return snapshot.apply(metadata, points.values());
    }
  }

  /**
   * A number that only grows while its process runs.
   *
   * @param name its name, with {@code _total} at the end
   * @param help its meaning, one sentence
   * @param labels names and values in turn
   */
  public void counter(String name, String help, double value, String... labels) {
    if (!name.endsWith(TOTAL)) {
      throw new IllegalArgumentException(
          "expected a counter's name with " + TOTAL + " at its end, found " + name);
    }
    counter(name, help, value, Labels.of(labels));
  }

  /** The same for a whole number, exact up to 2<sup>53</sup>. */
  public void counter(String name, String help, long value, String... labels) {
    counter(name, help, (double) value, labels);
  }

  /** The same with labels by name. */
  public void counter(String name, String help, double value, Map<String, String> labels) {
    counter(name, help, value, labels(labels));
  }

  private void counter(String name, String help, double value, Labels labels) {
    put(
        new MetricMetadata(name.substring(0, name.length() - TOTAL.length()), help),
        CounterDataPointSnapshot.class,
        new CounterDataPointSnapshot(value, labels, null, 0),
        CounterSnapshot::new);
  }

  /** A number that goes up and down. */
  public void gauge(String name, String help, double value, String... labels) {
    gauge(name, help, value, Labels.of(labels));
  }

  /** The same for a whole number, exact up to 2<sup>53</sup>. */
  public void gauge(String name, String help, long value, String... labels) {
    gauge(name, help, (double) value, labels);
  }

  /** The same with labels by name. */
  public void gauge(String name, String help, double value, Map<String, String> labels) {
    gauge(name, help, value, labels(labels));
  }

  private void gauge(String name, String help, double value, Labels labels) {
    put(
        new MetricMetadata(name, help),
        GaugeDataPointSnapshot.class,
        new GaugeDataPointSnapshot(value, labels, null),
        GaugeSnapshot::new);
  }

  /** A fact that only its labels tell; the name ends with {@code _info}, and the value is 1. */
  public void info(String name, String help, String... labels) {
    put(
        new MetricMetadata(name.substring(0, name.length() - INFO.length()), help),
        InfoDataPointSnapshot.class,
        new InfoDataPointSnapshot(Labels.of(labels)),
        InfoSnapshot::new);
  }

  /**
   * The sum of some histograms with the same buckets.
   *
   * @param parts at least one
   */
  public void histogram(String name, String help, List<Histogram> parts, String... labels) {
    Buckets buckets = parts.getFirst().buckets();
    ClassicHistogramBuckets.Builder counts = ClassicHistogramBuckets.builder();
    for (int i = 0; i <= buckets.size(); i++) {
      int bucket = i;
      double bound = i == buckets.size() ? Double.POSITIVE_INFINITY : buckets.exportedBound(i);
      counts.bucket(bound, parts.stream().mapToLong(each -> each.count(bucket)).sum());
    }
    double sum = buckets.exported(parts.stream().mapToLong(Histogram::sum).sum());
    put(
        new MetricMetadata(name, help),
        HistogramDataPointSnapshot.class,
        new HistogramDataPointSnapshot(counts.build(), sum, Labels.of(labels), null, 0),
        HistogramSnapshot::new);
  }

  /** Metrics of the library's own collectors; those with a name that is taken are left out. */
  void add(MetricSnapshots others) {
    for (MetricSnapshot each : others) {
      collected.putIfAbsent(each.getMetadata().getPrometheusName(), each);
      size += each.getDataPoints().size();
    }
  }

  private <P extends DataPointSnapshot> void put(
      MetricMetadata metadata,
      Class<P> type,
      P point,
      BiFunction<MetricMetadata, Collection<P>, MetricSnapshot> snapshot) {
    String name = metadata.getPrometheusName();
    Family<?> family =
        families.computeIfAbsent(
            name, _ -> new Family<>(type, metadata, new TreeMap<>(), snapshot));
    if (family.type.equals(type)) {
      @SuppressWarnings("unchecked") // the family holds points of this type
      Family<P> same = (Family<P>) family;
      size += same.points.put(point.getLabels(), point) == null ? 1 : 0;
    }
  }

  private static Labels labels(Map<String, String> labels) {
    return Labels.of(List.copyOf(labels.keySet()), List.copyOf(labels.values()));
  }

  /** Number of values; a histogram or summary counts as one. */
  public int size() {
    return size;
  }

  /** All metrics by name, in the text format of Prometheus (0.0.4). */
  public String text() {
    SortedMap<String, MetricSnapshot> all = new TreeMap<>(collected);
    families.forEach((name, family) -> all.put(name, family.toSnapshot()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, new MetricSnapshots(all.values()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a buffer does not fail
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}

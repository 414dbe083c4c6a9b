package dev.pinion.benchmarks.profiling;

import dev.pinion.benchmarks.bench.LoadVariant;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.bootstrap.profile.Kind;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.bootstrap.profile.Row;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine that is profiled under load: for each stage of the pipeline its processor time for each
 * instance, and its busy time with an instance, which is processor time and the time of forcing the
 * disk. Processor time is the operating system's; the profile divides it.
 */
public final class StageVariant implements Variant {
  /** Stages of a request, in the order of its path. */
  public static final List<PipelineStage> STAGES =
      List.of(
          PipelineStage.REQUEST,
          PipelineStage.KERNEL,
          PipelineStage.INVOKER,
          PipelineStage.JOURNAL,
          PipelineStage.LOOP);

  /** Processor time of everything else: garbage collector, compilers, the profile itself. */
  public static final Metric ELSE = metric("everything else");

  private static final double MICROS = 1e6;

  /** Length of the warm-up's profile: it loads the recorder, once for each process. */
  private static final int FIRST_SECONDS = 1;

  private final LoadVariant load;
  private final int seconds;

  /**
   * A variant.
   *
   * @param load load of an engine with one replica
   * @param seconds length of a profile during each measurement, at least 1
   */
  public StageVariant(LoadVariant load, int seconds) {
    this.load = load;
    this.seconds = seconds;
  }

  /** Processor time of a stage per instance. */
  public static Metric cpu(PipelineStage stage) {
    return metric(stage.label());
  }

  /** Busy time of a stage per instance: on a CPU, or waiting for the disk. */
  public static Metric busy(PipelineStage stage) {
    return new Metric("busy " + stage.label(), Metric.CPU.unit(), 1);
  }

  /**
   * Instances/s of one thread that runs only this stage, by its busy time; 0 where the stage was
   * not seen at work.
   */
  public static Metric rate(PipelineStage stage) {
    return new Metric("one thread of " + stage.label(), Metric.THROUGHPUT.unit(), 0);
  }

  private static Metric metric(String name) {
    return new Metric("cpu of " + name, Metric.CPU.unit(), 1);
  }

  @Override
  public String name() {
    return load.name();
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    try (OrderedProfile first = OrderedProfile.begin(load.process(), FIRST_SECONDS)) {
      load.warmUp();
      first.await();
    }
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    try (OrderedProfile profile = OrderedProfile.begin(load.process(), seconds)) {
      Sample sample = load.measure();
      profile.await();
      Map<Metric, Double> values = new LinkedHashMap<>(sample.values());
      values.putAll(divided(profile.rows(), sample.value(Metric.CPU)));
      return new Sample(values);
    }
  }

  /**
   * Divides processor time by the samples of a profile, and adds the stages' waits for the disk in
   * proportion.
   *
   * @param rows rows of the profile; those of CPU time and of the disk count
   * @param whole time to divide, in µs per instance
   * @throws MeasurementException when the profile has no CPU time
   */
  static Map<Metric, Double> divided(List<Row> rows, double whole) throws MeasurementException {
    Map<PipelineStage, Double> nanos = byStage(rows, Kind.CPU);
    Map<PipelineStage, Double> disk = byStage(rows, Kind.DISK);
    double all = nanos.values().stream().mapToDouble(Double::doubleValue).sum();
    if (all <= 0) {
      throw new MeasurementException("expected CPU time in a profile, found none");
    }
    Map<Metric, Double> values = new LinkedHashMap<>();
    double rest = whole;
    for (PipelineStage stage : STAGES) {
      double part = whole * nanos.getOrDefault(stage, 0.0) / all;
      values.put(cpu(stage), part);
      double busy = part + whole * disk.getOrDefault(stage, 0.0) / all;
      values.put(busy(stage), busy);
      values.put(rate(stage), busy > 0 ? MICROS / busy : 0);
      rest -= part;
    }
    values.put(ELSE, Math.max(0, rest));
    return values;
  }

  private static Map<PipelineStage, Double> byStage(List<Row> rows, Kind kind) {
    Map<PipelineStage, Double> amounts = new EnumMap<>(PipelineStage.class);
    for (Row row : rows) {
      if (row.place().kind() == kind) {
        amounts.merge(row.place().stage(), row.amount(), Double::sum);
      }
    }
    return amounts;
  }
}

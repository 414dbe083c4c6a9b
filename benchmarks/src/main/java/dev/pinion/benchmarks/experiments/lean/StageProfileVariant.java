package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.RecordedProfile;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.bootstrap.profile.ProfileKind;
import dev.pinion.bootstrap.profile.ProfileRow;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine that is profiled under load: for each stage of the pipeline its processor time for each
 * instance, and its busy time with an instance, which is processor time and the time of forcing the
 * disk. Processor time is the operating system's; the profile divides it.
 */
public final class StageProfileVariant implements Variant {
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
  public StageProfileVariant(LoadVariant load, int seconds) {
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
    try (RecordedProfile first = RecordedProfile.begin(load.process(), FIRST_SECONDS)) {
      load.warmUp();
      first.await();
    }
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    try (RecordedProfile profile = RecordedProfile.begin(load.process(), seconds)) {
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
  static Map<Metric, Double> divided(List<ProfileRow> rows, double whole)
      throws MeasurementException {
    Map<PipelineStage, Double> nanos = byStage(rows, ProfileKind.CPU);
    Map<PipelineStage, Double> disk = byStage(rows, ProfileKind.DISK);
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

  private static Map<PipelineStage, Double> byStage(
      List<ProfileRow> rows, ProfileKind profileKind) {
    Map<PipelineStage, Double> amounts = new EnumMap<>(PipelineStage.class);
    for (ProfileRow profileRow : rows) {
      if (profileRow.place().kind() == profileKind) {
        amounts.merge(profileRow.place().stage(), profileRow.amount(), Double::sum);
      }
    }
    return amounts;
  }
}

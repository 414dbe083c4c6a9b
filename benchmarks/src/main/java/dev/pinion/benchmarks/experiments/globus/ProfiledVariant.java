package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.ProcessCpuTime;
import dev.pinion.benchmarks.testbed.RecordedProfile;
import dev.pinion.benchmarks.testbed.ServerProcess;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An engine under load, profiled or not. {@link Metric#CPU} is that of the load, which includes the
 * start of the profile.
 */
public final class ProfiledVariant implements Variant {
  /** Processor time from before the order until the recording is written, for each instance. */
  public static final Metric WHOLE = new Metric("cpu with begin and end", "µs/instance", 1);

  /** Length of the warm-up's profile: it loads the recorder, once for each process. */
  private static final int FIRST_SECONDS = 1;

  private final ServerProcess engine;
  private final LoadVariant load;
  private final int seconds;

  /**
   * A variant.
   *
   * @param load load of that engine
   * @param seconds length of a profile during each measurement; 0 for none
   */
  public ProfiledVariant(ServerProcess engine, LoadVariant load, int seconds) {
    this.engine = engine;
    this.load = load;
    this.seconds = seconds;
  }

  @Override
  public String name() {
    return load.name();
  }

  @Override
  public void warmUp() throws MeasurementException, InterruptedException {
    if (seconds == 0) {
      load.warmUp();
      return;
    }
    try (RecordedProfile first = RecordedProfile.begin(engine, FIRST_SECONDS)) {
      load.warmUp();
      first.await();
    }
  }

  @Override
  public Sample measure() throws MeasurementException, InterruptedException {
    ProcessCpuTime before = engine.cpu();
    if (seconds == 0) {
      Sample sample = load.measure();
      return with(sample, before, engine.cpu());
    }
    try (RecordedProfile profile = RecordedProfile.begin(engine, seconds)) {
      Sample sample = load.measure();
      ProcessCpuTime loaded = engine.cpu();
      profile.await();
      return with(sample, before, loaded);
    }
  }

  /** Adds the processor time besides the load. */
  private Sample with(Sample sample, ProcessCpuTime before, ProcessCpuTime loaded)
      throws MeasurementException {
    double underLoad = Math.max(1, loaded.since(before).toNanos());
    double whole = engine.cpu().since(before).toNanos();
    Map<Metric, Double> values = new LinkedHashMap<>(sample.values());
    values.put(WHOLE, sample.value(Metric.CPU) * Math.max(1, whole / underLoad));
    return new Sample(values);
  }
}

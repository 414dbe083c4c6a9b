package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;

/** One run of an experiment: its options and its CPUs. Used by one thread. */
public final class ExperimentRun {
  /** Settling usually ends after this fraction of its time. */
  private static final int SETTLED_EARLY = 4;

  private final TestbedOptions options;
  private final Map<ExperimentOption<?>, ArgSpec> arguments = new LinkedHashMap<>();
  private @Nullable CpuPlacement placement;
  private int engineCaches = 1;

  /**
   * A run by a command line that is yet to be read.
   *
   * @param options its general options
   * @param own its own ones
   */
  ExperimentRun(TestbedOptions options, List<ExperimentOption<?>> own) {
    this.options = options;
    own.forEach(each -> arguments.put(each, each.argument()));
  }

  /** The arguments of its own options, which the command line sets. */
  Collection<ArgSpec> arguments() {
    return arguments.values();
  }

  /** Value of an option: as given, else its default. */
  public <T> T get(ExperimentOption<T> option) {
    T given = given(option);
    T value = given == null ? option.byDefault(isQuick()) : given;
    if (value == null) {
      throw new IllegalStateException("expected a value of " + option.name() + ", found none");
    }
    return value;
  }

  /** Whether an option has a value or a default. */
  public boolean has(ExperimentOption<?> option) {
    return given(option) != null || option.byDefault(isQuick()) != null;
  }

  /** Whether an option was given. */
  public boolean isGiven(ExperimentOption<?> option) {
    return given(option) != null;
  }

  @SuppressWarnings("unchecked") // the option has made the specification of its value
  private <T> @Nullable T given(ExperimentOption<T> option) {
    return (T) Objects.requireNonNull(arguments.get(option), option.name()).getValue();
  }

  /** Checks the values of its own options, or their defaults. */
  void checkOptions() {
    arguments.keySet().forEach(this::check);
  }

  private <T> void check(ExperimentOption<T> option) {
    if (has(option)) {
      option.require(get(option));
    }
  }

  /** Whether it is a smoke run. */
  public boolean isQuick() {
    return options.effort() == Effort.QUICK;
  }

  /** Whether it is to be believed. */
  public boolean isFull() {
    return options.effort() == Effort.FULL;
  }

  /** Measurements of each variant. */
  public int rounds() {
    return options.rounds();
  }

  /** Measured time of each round. */
  public Duration duration() {
    return options.duration();
  }

  /** Time before the first round. */
  public Duration warmUp() {
    return options.warmUp();
  }

  /** A load of this number of clients, 1 to 100,000. */
  public LoadSettings load(int clients) {
    return options.load(clients, placement());
  }

  /** Approximate time of an experiment of this extent that loads engines. */
  public Duration time(Extent extent) {
    Duration early = options.effort().settling().dividedBy(SETTLED_EARLY);
    Duration load = options.effort().ramp().plus(options.duration());
    return extent.time(options.warmUp().plus(early), load, rounds());
  }

  /** CPUs of engine and load. */
  public CpuPlacement placement() {
    if (placement == null) {
      throw new IllegalStateException("expected a run that was placed, found its options only");
    }
    return placement;
  }

  /** CPUs of the engine; 1 before the run is placed. */
  public int engineCpus() {
    return placement == null ? 1 : placement.engine().size();
  }

  /** Last-level caches among the CPUs of the engine; 1 before the run is placed. */
  public int engineCaches() {
    return engineCaches;
  }

  void place(CpuPlacement cpus) {
    placement = cpus;
  }

  void place(int caches) {
    engineCaches = caches;
  }
}

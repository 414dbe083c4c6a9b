package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.load.LoadPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CPUs reserved for the measured processes, and those of stub and load.
 *
 * @param engine CPUs of the process that is measured
 * @param load CPUs of the load generator and the stub
 */
public record CpuPlacement(CpuSet engine, CpuSet load) {
  private static final Path OWN_STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Least number of CPUs at which a comparison of replicas reserves some for the load. */
  private static final int ENOUGH_TO_SHARE_OUT = 4;

  /** Checks that neither is empty, and that they have no CPU in common or the engine has all. */
  public CpuPlacement {
    boolean partly = engine.intersects(load) && !engine.containsAll(load);
    if (engine.isEmpty() || load.isEmpty() || partly) {
      throw new IllegalArgumentException(
          "expected different CPUs for engine and load, found engine \""
              + engine
              + "\" and load \""
              + load
              + "\"; name them with --engine-cpus and --load-cpus");
    }
  }

  /**
   * A placement by options; by default the lowest CPU is the engine's and the others carry the
   * load. With a single CPU and no options, they share it.
   *
   * @param engine CPU list, or null for the default
   * @param load CPU list, or null for all other CPUs
   * @param allowed CPUs this process could use when it was started
   */
  public static CpuPlacement of(@Nullable String engine, @Nullable String load, CpuSet allowed) {
    if (engine != null && engine.equals(load)) {
      throw new IllegalArgumentException(
          "expected different CPUs for engine and load, found \""
              + engine
              + "\" for both; name them with --engine-cpus and --load-cpus");
    }
    if (engine == null && load == null && allowed.size() == 1) {
      return new CpuPlacement(allowed, allowed);
    }
    CpuSet ofLoad = load == null ? CpuSet.EMPTY : named("--load-cpus", load, allowed);
    CpuSet ofEngine =
        engine == null
            ? CpuSet.of(allowed.minus(ofLoad).stream().limit(1))
            : named("--engine-cpus", engine, allowed);
    return new CpuPlacement(ofEngine, load == null ? allowed.minus(ofEngine) : ofLoad);
  }

  private static CpuSet named(String option, String list, CpuSet allowed) {
    CpuSet cpus;
    try {
      cpus = CpuSet.parse(list);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
    if (!allowed.containsAll(cpus)) {
      throw new IllegalArgumentException(
          "expected "
              + option
              + " among the CPUs that this process may use, which are "
              + allowed
              + ", found "
              + cpus.minus(allowed));
    }
    return cpus;
  }

  /**
   * A placement for several replicas: by options, else half of the CPUs for the engine; with fewer
   * than four CPUs, engine and load use all, because replicas must differ in their CPUs.
   *
   * @param engine CPU list, or null for the default
   * @param load CPU list, or null for the default
   * @param allowed CPUs this process could use when it was started
   */
  public static CpuPlacement ofReplicas(
      @Nullable String engine, @Nullable String load, CpuSet allowed) {
    if (engine != null || load != null) {
      return of(engine, load, allowed);
    }
    if (allowed.size() < ENOUGH_TO_SHARE_OUT) {
      return new CpuPlacement(allowed, allowed);
    }
    CpuSet half = CpuSet.of(allowed.stream().limit(allowed.size() / 2));
    return new CpuPlacement(half, allowed.minus(half));
  }

  /**
   * A placement for event loops that are pinned: as {@link #ofReplicas}, but with fewer than four
   * CPUs the load leaves the first one to the loop pinned there; the engine's other threads share
   * the load's CPUs.
   *
   * @param engine CPU list, or null for the default
   * @param load CPU list, or null for the default
   * @param allowed CPUs this process could use when it was started
   */
  public static CpuPlacement ofPinnedLoops(
      @Nullable String engine, @Nullable String load, CpuSet allowed) {
    boolean few = allowed.size() > 1 && allowed.size() < ENOUGH_TO_SHARE_OUT;
    return engine == null && load == null && few
        ? new CpuPlacement(allowed, CpuSet.of(allowed.stream().skip(1)))
        : ofReplicas(engine, load, allowed);
  }

  /** Whether engine and load share some or all CPUs. */
  public boolean shared() {
    return engine.intersects(load);
  }

  /**
   * CPUs that this process may use now.
   *
   * @throws IOException where the system does not report it, which is everywhere except on Linux
   */
  public static CpuSet allowed() throws IOException {
    try (Stream<String> lines = Files.lines(OWN_STATUS)) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> CpuSet.parse(line.substring(ALLOWED.length())))
          .findFirst()
          .orElseThrow(() -> new IOException("expected " + ALLOWED + " in " + OWN_STATUS));
    }
  }

  /** A command that runs on the engine's CPUs, with all its future threads and children. */
  public List<String> onEngine(List<String> command) {
    return pinned(engine, command);
  }

  /** A command that runs on the load's CPUs, with all its future threads and children. */
  public List<String> onLoad(List<String> command) {
    return pinned(load, command);
  }

  /**
   * Moves a running process to the load's CPUs, with all its present and future threads.
   *
   * @throws MeasurementException when the system does not permit it
   */
  public void moveToLoad(long pid) throws MeasurementException, InterruptedException {
    List<String> command =
        List.of("taskset", "-a", "-c", "-p", load.toString(), Long.toString(pid));
    try {
      Process taskset =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int status = taskset.waitFor();
      if (status != 0) {
        throw new MeasurementException(
            "expected \"" + String.join(" ", command) + "\" to succeed, found status " + status);
      }
    } catch (IOException e) {
      throw new MeasurementException("expected to run taskset, found: " + e.getMessage(), e);
    }
  }

  /** Number of event loops for which the load has CPUs, besides that of the stub. */
  public int loadThreads() {
    return Math.clamp(load.size() - 1, 1, LoadPlan.MAX_THREADS);
  }

  static List<String> pinned(CpuSet cpus, List<String> command) {
    return Stream.concat(Stream.of("taskset", "-c", cpus.toString()), command.stream()).toList();
  }
}

package dev.pinion.benchmarks.testbed;

import com.sun.management.OperatingSystemMXBean;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs this program again: confined to other CPUs, or as a server under measurement. */
public final class BenchmarkJvm {
  private static final String MAIN = "dev.pinion.benchmarks.BenchmarkMain";

  /** Set in a confined JVM: the CPUs that were allowed before the confinement. */
  private static final String ALLOWED = "pinion.bench.allowedCpus";

  /** Set in a confined JVM: the process that started it. */
  private static final String STARTER = "pinion.bench.starter";

  /** Longest wait for a confined JVM that was asked to end: longer than it needs. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private BenchmarkJvm() {}

  /** Whether this JVM was started by {@link #rerunOnLoad}. */
  public static boolean isConfined() {
    return confinedFrom() != null;
  }

  /**
   * CPUs available to engine and load.
   *
   * @throws IOException where the system does not report it, which is everywhere except on Linux
   */
  public static CpuSet allowedCpus() throws IOException {
    String before = confinedFrom();
    return before == null ? CpuPlacement.allowed() : CpuSet.parse(before);
  }

  /**
   * Runs this program again on the load's CPUs, so that its JIT and GC threads are confined as
   * well, with the same input and output. A signal that ends this JVM ends that run first.
   *
   * @return exit code of that run
   */
  public static int rerunOnLoad(CpuPlacement placement, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.add("-D" + ALLOWED + "=" + CpuPlacement.allowed());
    flags.add("-D" + STARTER + "=" + ProcessHandle.current().pid());
    Process process =
        new ProcessBuilder(placement.onLoad(command(flags, arguments))).inheritIO().start();
    Thread stop = new Thread(() -> stop(process), "stop-confined");
    Runtime.getRuntime().addShutdownHook(stop);
    int code = process.waitFor();
    try {
      Runtime.getRuntime().removeShutdownHook(stop);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook finds that the other one has ended.
    }
    return code;
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completed when the process that has confined this JVM has ended; never if there is none. */
  public static CompletableFuture<?> starterEnds() {
    String starter = System.getProperty(STARTER);
    if (starter == null) {
      return new CompletableFuture<>();
    }
    return ProcessHandle.of(Long.parseLong(starter))
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(ProcessHandle.current()));
  }

  /**
   * A command that runs a server of this program with the garbage collector and the share of memory
   * of a replica.
   */
  static List<String> server(CpuSet cpus, String... arguments) {
    List<String> flags =
        List.of(
            cpus.size() == 1 ? "-XX:+UseSerialGC" : "-XX:+UseG1GC",
            "-XX:InitialRAMPercentage=25",
            "-XX:MaxRAMPercentage=25",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    return command(flags, List.of(arguments));
  }

  private static List<String> command(List<String> flags, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(MAIN);
    command.addAll(arguments);
    return command;
  }

  /** Processor time of this JVM so far, all its threads together. */
  static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** CPUs that this JVM may use. */
  static int cpus() {
    return SYSTEM.getAvailableProcessors();
  }

  private static @Nullable String confinedFrom() {
    return System.getProperty(ALLOWED);
  }
}

package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.logging.LogFormat;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ReplicaCommand;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes the command lines of planned replicas on this machine. */
final class ReplicaCommands {
  /** System property that names the start-up cache of a replica; see {@link StartupTraining}. */
  private static final String CACHE_PROPERTY = "pinion.replica.cache";

  private final ServeSettings settings;
  private final String replicaMain;
  private final Consumer<String> warn;

  /**
   * Makes command lines.
   *
   * @param replicaMain main class of a replica
   * @param warn told what is gone without under {@code --best-effort}
   */
  ReplicaCommands(ServeSettings settings, String replicaMain, Consumer<String> warn) {
    this.settings = settings;
    this.replicaMain = replicaMain;
    this.warn = warn;
  }

  /**
   * The command line of a replica.
   *
   * @param spec its plan
   * @param crashes folder for crash reports of the JVM
   * @throws IOException when the command that assigns CPUs is missing
   */
  ReplicaCommand of(ReplicaSpec spec, Path crashes) throws IOException {
    return new ReplicaCommand(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        replicaMain,
        confinement(spec),
        spec.heapBytes(),
        spec.cpus().size() == 1,
        crashes,
        options());
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    options.add(
        "-D"
            + LogFormat.PROPERTY
            + "="
            + (LogFormat.current() == LogFormat.TEXT ? "text" : "json"));
    String cache = System.getProperty(CACHE_PROPERTY, "");
    if (!cache.isEmpty() && Files.isReadable(Path.of(cache))) {
      options.add("-XX:AOTCache=" + cache);
      options.add("-Xlog:aot*=off");
    }
    options.addAll(settings.jvmOptions());
    return options;
  }

  /** The CPUs to confine to, or nothing where that is impossible and accepted. */
  private String confinement(ReplicaSpec spec) throws IOException {
    if (!MachineProbe.onLinux()) {
      return "";
    }
    String path = System.getenv().getOrDefault("PATH", "");
    if (ReplicaCommand.find("taskset", path).isPresent()) {
      return spec.cpus().toString();
    }
    if (settings.bestEffort()) {
      warn.accept(
          "taskset is missing (package util-linux): the replica is not confined to its CPUs");
      return "";
    }
    throw new IOException(
        "expected the command taskset to assign CPUs, found none on PATH: install the package"
            + " util-linux, or pass --best-effort to run unconfined");
  }
}

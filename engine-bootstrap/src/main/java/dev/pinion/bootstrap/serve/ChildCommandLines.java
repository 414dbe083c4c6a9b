package dev.pinion.bootstrap.serve;

import static java.util.stream.Collectors.joining;

import dev.pinion.bootstrap.datadir.OwnerOnlyPermissions;
import dev.pinion.bootstrap.logging.LogLineFormat;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ChildCommandLine;
import dev.pinion.bootstrap.process.CommandProbe;
import dev.pinion.bootstrap.process.Confinement;
import dev.pinion.bootstrap.process.ParentDeathSignal;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Builds the command lines of planned replicas on this machine. */
final class ChildCommandLines {
  /** System property that names the start-up cache of a replica; see {@link AotCacheTraining}. */
  private static final String CACHE_PROPERTY = "pinion.replica.cache";

  /** Main class of the history; by name, so that the parent loads nothing of the engine. */
  private static final String HISTORY_MAIN = "dev.pinion.bootstrap.history.HistoryMain";

  /** Main class of the broker. */
  private static final String BROKER_MAIN = "dev.pinion.bootstrap.brokerd.BrokerMain";

  /** Heap of the broker: a program of a million columns fits; solvers have separate memory. */
  private static final long BROKER_HEAP_BYTES = 256L << 20;

  /**
   * The broker works about once a second, with solvers in native code: the optimising compiler
   * would work for minutes, beside the replicas, and never pay that back.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private static final String NICE = "nice";
  private static final String NICENESS = "10";

  private final EffectiveSettings settings;
  private final String replicaMain;
  private final Confinement confinement;
  private final List<String> parentDeath;

  /**
   * Creates a builder of command lines.
   *
   * @param replicaMain main class of a replica
   * @param warn receives what is given up under {@code --best-effort}
   */
  ChildCommandLines(EffectiveSettings settings, String replicaMain, Consumer<String> warn) {
    this.settings = settings;
    this.replicaMain = replicaMain;
    CommandProbe trial = new CommandProbe();
    this.confinement =
        new Confinement(
            ChildCommandLines::onPath, trial, settings.get(SettingKey.BEST_EFFORT), once(warn));
    this.parentDeath = MachineProbe.onLinux() ? ParentDeathSignal.prefix(trial) : List.of();
  }

  /** Every start of a replica repeats its warnings; each is passed on once. */
  private static Consumer<String> once(Consumer<String> warn) {
    Set<String> told = ConcurrentHashMap.newKeySet();
    return warning -> {
      if (told.add(warning)) {
        warn.accept(warning);
      }
    };
  }

  private static boolean onPath(String command) {
    return ChildCommandLine.find(command, System.getenv().getOrDefault("PATH", "")).isPresent();
  }

  /**
   * The command line of a replica.
   *
   * @param spec its plan
   * @param crashes folder for crash reports of the JVM
   * @throws IOException when a command that assigns CPUs or memory is missing
   */
  ChildCommandLine of(ReplicaSpec spec, Path crashes) throws IOException {
    return of(spec, crashes, MachineProbe.onLinux() ? confinement.prefix(spec) : List.of());
  }

  /**
   * The command line for an immediate start: the commands that assign CPUs and memory are tried
   * first.
   *
   * @param spec its plan
   * @param crashes folder for crash reports of the JVM
   * @throws IOException when a command that assigns CPUs or memory is missing or refused
   */
  ChildCommandLine forStart(ReplicaSpec spec, Path crashes) throws IOException {
    return of(spec, crashes, MachineProbe.onLinux() ? confinement.triedPrefix(spec) : List.of());
  }

  private ChildCommandLine of(ReplicaSpec spec, Path crashes, List<String> prefix) {
    return new ChildCommandLine(
        dyingWithParent(OwnerOnlyPermissions.prefix(prefix)),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        replicaMain,
        new ChildCommandLine.Size(
            spec.heapBytes(), spec.processors(), spec.gcThreads(), spec.ancillary().size()),
        crashes,
        options());
  }

  /**
   * The command line of the history process: threads for one CPU, at lower priority than all
   * others, and off the CPUs of event loops where these have separate ones.
   *
   * @param places plans of all replicas
   * @param crashes folder for crash reports of the JVM
   */
  ChildCommandLine ofHistory(List<ReplicaSpec> places, Path crashes) {
    return new ChildCommandLine(
        dyingWithParent(OwnerOnlyPermissions.prefix(behind(places))),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        HISTORY_MAIN,
        new ChildCommandLine.Size(settings.get(SettingKey.HISTORY_HEAP), 1, 1, 1),
        crashes,
        List.of(logFormat()));
  }

  /**
   * The command line of the broker: threads for one CPU, at lower priority than all others, and off
   * the CPUs of event loops where these have separate ones.
   *
   * @param places plans of all replicas
   * @param crashes folder for crash reports of the JVM
   * @param natives folder for unpacked native code
   */
  ChildCommandLine ofBroker(List<ReplicaSpec> places, Path crashes, Path natives) {
    return new ChildCommandLine(
        dyingWithParent(OwnerOnlyPermissions.prefix(behind(places))),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        BROKER_MAIN,
        new ChildCommandLine.Size(BROKER_HEAP_BYTES, 1, 1, 1),
        crashes,
        List.of(logFormat(), QUICK_COMPILER, "-Djava.io.tmpdir=" + natives));
  }

  private List<String> dyingWithParent(List<String> prefix) {
    List<String> words = new ArrayList<>(parentDeath);
    words.addAll(prefix);
    return words;
  }

  /** Words before the command of a process that must not disturb event loops. */
  private static List<String> behind(List<ReplicaSpec> places) {
    List<String> prefix = new ArrayList<>();
    if (onPath(NICE)) {
      prefix.addAll(List.of(NICE, "-n", NICENESS));
    }
    boolean pinned = places.stream().allMatch(ReplicaSpec::pinned);
    if (pinned && MachineProbe.onLinux() && onPath("taskset")) {
      String cpus = places.stream().map(each -> each.ancillary().toString()).collect(joining(","));
      prefix.addAll(List.of("taskset", "-c", cpus));
    }
    return prefix;
  }

  private static String logFormat() {
    return "-D"
        + LogLineFormat.PROPERTY
        + "="
        + (LogLineFormat.current() == LogLineFormat.TEXT ? "text" : "json");
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    options.add(logFormat());
    String cache = System.getProperty(CACHE_PROPERTY, "");
    if (!cache.isEmpty() && Files.isReadable(Path.of(cache))) {
      options.add("-XX:AOTCache=" + cache);
      options.add("-Xlog:aot*=off");
    }
    options.addAll(settings.get(SettingKey.JVM_OPTIONS));
    return options;
  }
}

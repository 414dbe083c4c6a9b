package dev.pinion.benchmarks.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The machine and the software of a measurement. An unknown fact is reported as {@code unknown},
 * never omitted.
 *
 * @param facts facts by name, in the order of printing
 */
public record EnvironmentReport(Map<String, String> facts) {
  /** Name of the fact that warns of other load on the machine; it precedes all others. */
  public static final String WARNING = "warning";

  /** Load of others, in CPUs, from which on it affects measurements. */
  private static final double BUSY = 0.5;

  private static final String UNKNOWN = "unknown";
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path OWN_STATUS = Path.of("/proc/self/status");
  private static final Path GOVERNOR =
      Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

  /** Copies the facts. */
  public EnvironmentReport {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /**
   * Inspects this machine and this JVM.
   *
   * @param repository folder of the checkout whose commit is reported
   */
  public static EnvironmentReport take(Path repository) {
    Map<String, String> facts = new LinkedHashMap<>();
    warning(systemLoad(), Runtime.getRuntime().availableProcessors())
        .ifPresent(warning -> facts.put(WARNING, warning));
    facts.put("cpu", valueOf(CPU_INFO, "model name"));
    facts.put("cpus allowed", valueOf(OWN_STATUS, "Cpus_allowed_list"));
    facts.put("governor", firstLine(GOVERNOR));
    facts.put("load before", loadAverage());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put(
        "jdk",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    facts.put("flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    facts.put("pinion", version());
    facts.put("commit", commit(repository));
    return new EnvironmentReport(facts);
  }

  /** These facts and one more. */
  public EnvironmentReport with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new EnvironmentReport(more);
  }

  /** The facts as text, one per line. */
  public String text() {
    int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    facts.forEach(
        (name, value) ->
            text.append(name)
                .append(" ".repeat(width - name.length() + 2))
                .append(value)
                .append('\n'));
    return text.toString();
  }

  /** The facts as an object of strings. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    facts.forEach(json::put);
    return json;
  }

  /**
   * A warning about measurements beside this load average.
   *
   * @param load runnable threads, on average over the last minute; negative when unknown
   */
  static Optional<String> warning(double load, int cpus) {
    return load <= BUSY * cpus
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the machine was busy before this began (load average %.1f on %d CPU%s): times are"
                    + " longer, rates lower and spreads wider than on a quiet one",
                load,
                cpus,
                cpus == 1 ? "" : "s"));
  }

  private static double systemLoad() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String loadAverage() {
    double load = systemLoad();
    return load < 0 ? UNKNOWN : String.format(Locale.ROOT, "%.2f in the last minute", load);
  }

  private static String valueOf(Path file, String key) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String firstLine(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String version() {
    String version = EnvironmentReport.class.getPackage().getImplementationVersion();
    return version == null ? UNKNOWN : version;
  }

  private static String commit(Path repository) {
    String hash = git(repository, "rev-parse", "HEAD");
    if (hash.equals(UNKNOWN)) {
      return UNKNOWN;
    }
    String changes = git(repository, "status", "--porcelain", "--untracked-files=no");
    return changes.isEmpty() ? hash : hash + " with changes that are not committed";
  }

  private static String git(Path repository, String... arguments) {
    List<String> command =
        Stream.concat(Stream.of("git", "-C", repository.toString()), Stream.of(arguments)).toList();
    try {
      Process git =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer.strip() : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNKNOWN;
    }
  }
}

package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Confines replicas to CPUs and memory by commands put before theirs, so that every thread of the
 * JVM is confined from its first instruction, including those of garbage collector and compilers.
 *
 * <p>{@code taskset} gives the process the CPUs of its ancillary threads. Event loops move to CPUs
 * outside of these themselves, which Linux allows because the mask is no cgroup. {@code numactl
 * --preferred} takes memory from the replica's own node; {@code --membind} would kill the replica
 * when that node is full, even if others have free memory.
 */
public final class Confinement {
  private static final String CPUS = "taskset";
  private static final String MEMORY = "numactl";
  private static final String ANY_MEMORY = "its memory may come from any NUMA node";
  private static final String UNCONFINED = "it is not confined to its CPUs";

  /** Command of a trial, which does nothing. */
  private static final String NOTHING = "true";

  private final Predicate<String> installed;
  private final Probe probe;
  private final boolean bestEffort;
  private final Consumer<String> warn;

  /** Runs a command that does nothing, to check whether its prefix can be applied. */
  @FunctionalInterface
  public interface Probe {
    /**
     * Runs the command.
     *
     * @param words the command
     * @return its error output, or empty when it succeeded
     * @throws IOException when it cannot be run at all
     */
    Optional<String> complaint(List<String> words) throws IOException;
  }

  /**
   * Confines by commands.
   *
   * @param installed whether a command is installed
   * @param probe runs a command
   * @param bestEffort whether to do without a missing command
   * @param warn receives what is given up
   */
  public Confinement(
      Predicate<String> installed, Probe probe, boolean bestEffort, Consumer<String> warn) {
    this.installed = installed;
    this.probe = probe;
    this.bestEffort = bestEffort;
    this.warn = warn;
  }

  /**
   * The words before the command of a replica; none where nothing must be confined.
   *
   * @throws IOException when a necessary command is missing; the message says what to do
   */
  public List<String> prefix(ReplicaSpec spec) throws IOException {
    List<String> words = new ArrayList<>();
    words.addAll(memory(spec));
    words.addAll(cpus(spec));
    return words;
  }

  /**
   * The same words, with each command tried first: a plan that was possible at first need not be so
   * when a replica is restarted, as a CPU may have been switched off or removed since.
   *
   * @throws IOException when a command is missing or cannot be applied; the message says what to do
   */
  public List<String> triedPrefix(ReplicaSpec spec) throws IOException {
    List<String> words = new ArrayList<>();
    words.addAll(
        tried(
            memory(spec),
            "to take memory of replica " + spec.index() + " from NUMA node " + spec.memoryNode(),
            "allow that node (cpuset.mems)",
            ANY_MEMORY));
    words.addAll(
        tried(
            cpus(spec),
            "to confine replica " + spec.index() + " to CPUs " + spec.confined(),
            "bring these CPUs online and allow them (cpuset), choose others (--replicas)",
            UNCONFINED));
    return words;
  }

  private List<String> memory(ReplicaSpec spec) throws IOException {
    Integer node = spec.memoryNode();
    return node != null && present(MEMORY, "numactl", ANY_MEMORY)
        ? List.of(MEMORY, "--preferred=" + node)
        : List.of();
  }

  private List<String> cpus(ReplicaSpec spec) throws IOException {
    return !spec.confined().isEmpty() && present(CPUS, "util-linux", UNCONFINED)
        ? List.of(CPUS, "-c", spec.confined().toString())
        : List.of();
  }

  private List<String> tried(List<String> words, String what, String remedy, String without)
      throws IOException {
    if (words.isEmpty()) {
      return words;
    }
    List<String> command = new ArrayList<>(words);
    command.add(NOTHING);
    Optional<String> complaint = probe.complaint(command);
    if (complaint.isEmpty()) {
      return words;
    }
    String failed =
        "expected "
            + what
            + " ("
            + String.join(" ", words)
            + "), found that the system refuses it: "
            + complaint.get()
            + ": "
            + remedy;
    if (!bestEffort) {
      throw new IOException(failed + ", or pass --best-effort to go without, or --pinning none");
    }
    warn.accept(failed + "; the replica runs without: " + without);
    return List.of();
  }

  private boolean present(String command, String packageName, String without) throws IOException {
    if (installed.test(command)) {
      return true;
    }
    String missing =
        "expected the command "
            + command
            + " to place replicas, found none on PATH: install the package "
            + packageName;
    if (!bestEffort) {
      throw new IOException(missing + ", or pass --best-effort to go without, or --pinning none");
    }
    warn.accept(missing + "; a replica runs without: " + without);
    return false;
  }
}

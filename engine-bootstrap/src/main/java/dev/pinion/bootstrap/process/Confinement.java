package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Confines replicas to CPUs and memory by commands put before theirs, so that every thread of the
 * JVM is confined from its first instruction, those of garbage collector and compilers too.
 *
 * <p>{@code taskset} gives the process the CPUs of its ancillary threads. Event loops go to CPUs
 * outside of these by themselves, which Linux allows because the mask is no cgroup. {@code numactl
 * --preferred} takes memory from the replica's own node; {@code --membind} would kill the replica
 * when that node is full, though others have room.
 */
public final class Confinement {
  private static final String CPUS = "taskset";
  private static final String MEMORY = "numactl";

  private final Predicate<String> installed;
  private final boolean bestEffort;
  private final Consumer<String> warn;

  /**
   * Confines by commands.
   *
   * @param installed whether a command is there
   * @param bestEffort whether to go without a command that is missing
   * @param warn told what is gone without
   */
  public Confinement(Predicate<String> installed, boolean bestEffort, Consumer<String> warn) {
    this.installed = installed;
    this.bestEffort = bestEffort;
    this.warn = warn;
  }

  /**
   * The words before the command of a replica; none where nothing is to be confined.
   *
   * @throws IOException when a command that is needed is missing; the message says what to do
   */
  public List<String> prefix(ReplicaSpec spec) throws IOException {
    List<String> words = new ArrayList<>();
    Integer node = spec.memoryNode();
    if (node != null && present(MEMORY, "numactl", "its memory may come from any NUMA node")) {
      words.addAll(List.of(MEMORY, "--preferred=" + node));
    }
    if (!spec.confined().isEmpty()
        && present(CPUS, "util-linux", "it is not confined to its CPUs")) {
      words.addAll(List.of(CPUS, "-c", spec.confined().toString()));
    }
    return words;
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

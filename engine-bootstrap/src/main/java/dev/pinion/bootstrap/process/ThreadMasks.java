package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.FileTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the CPU mask of every thread of a replica back from procfs and compares it with the plan.
 */
public final class ThreadMasks {
  /** Number of characters that Linux keeps of a thread's name. */
  static final int NAME_LENGTH = 15;

  private static final String LABEL = "Cpus_allowed_list:";

  private final Map<String, CpuSet> pins = new HashMap<>();
  private final CpuSet collecting;
  private final CpuSet others;

  /**
   * Creates a comparison with a plan.
   *
   * @param spec the replica
   */
  public ThreadMasks(ReplicaSpec spec) {
    this.collecting = spec.collecting();
    this.others = spec.confined();
    spec.pins().forEach((thread, cpu) -> pins.merge(shortened(thread), CpuSet.of(cpu), CpuSet::or));
  }

  /**
   * The mask of a thread.
   *
   * @param tid its number
   * @param name its name, truncated by Linux
   * @param mask the CPUs on which it may run
   * @param expected the CPUs assigned by the plan; empty when the plan assigns none
   */
  public record ThreadMask(long tid, String name, CpuSet mask, CpuSet expected) {
    /** Whether the mask is as planned. */
    public boolean ok() {
      return expected.isEmpty() || mask.equals(expected);
    }
  }

  /**
   * The threads of a process, by their numbers; those that end during the reading are left out.
   *
   * @param files the machine
   * @param pid the process
   */
  public List<ThreadMask> of(FileTree files, long pid) {
    String tasks = "proc/" + pid + "/task";
    List<ThreadMask> threads = new ArrayList<>();
    for (String tid : files.names(tasks)) {
      String name = files.read(tasks + "/" + tid + "/comm");
      String status = files.read(tasks + "/" + tid + "/status");
      if (name != null && status != null) {
        mask(status)
            .ifPresent(
                mask ->
                    threads.add(new ThreadMask(Long.parseLong(tid), name, mask, expected(name))));
      }
    }
    threads.sort((a, b) -> Long.compare(a.tid(), b.tid()));
    return threads;
  }

  private CpuSet expected(String name) {
    return pins.getOrDefault(shortened(name), CollectorThreads.has(name) ? collecting : others);
  }

  private static String shortened(String name) {
    return name.length() > NAME_LENGTH ? name.substring(0, NAME_LENGTH) : name;
  }

  private static Optional<CpuSet> mask(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith(LABEL))
        .map(line -> CpuSet.parse(line.substring(LABEL.length())))
        .findFirst();
  }
}

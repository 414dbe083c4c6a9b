package dev.pinion.bootstrap.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CPUs and memory nodes that the kernel allows this process, from {@code /proc/self/status}: each
 * set as a list and as a mask, of which some kernels and captures have one only.
 */
final class ProcessCpuMasks {
  private static final String FILE = "proc/self/status";

  private final String[] lines;
  private final List<String> notes;

  ProcessCpuMasks(FileTree tree, List<String> notes) {
    String status = tree.read(FILE);
    this.lines = status == null ? new String[0] : status.split("\n", -1);
    this.notes = notes;
    if (status == null) {
      notes.add("/" + FILE + " cannot be read: the mask of this process is unknown");
    }
  }

  /** The CPUs on which it may run, or null when unknown. */
  @Nullable CpuSet cpus() {
    return set("Cpus_allowed");
  }

  /** The numbers of the NUMA nodes whose memory it may use, or null when unknown. */
  @Nullable CpuSet memoryNodes() {
    return set("Mems_allowed");
  }

  private @Nullable CpuSet set(String label) {
    String list = value(label + "_list:");
    CpuSet listed = list == null ? null : list(list);
    if (listed != null && !listed.isEmpty()) {
      return listed;
    }
    String mask = value(label + ":");
    CpuSet masked = mask == null ? null : mask(mask);
    if (lines.length > 0) {
      notes.add(
          "/"
              + FILE
              + (list == null ? " has no " : " has an unreadable ")
              + label
              + "_list: "
              + (masked == null ? "all are taken as allowed" : "the mask beside it is taken"));
    }
    return masked;
  }

  private @Nullable String value(String label) {
    for (String line : lines) {
      if (line.startsWith(label)) {
        return line.substring(label.length()).strip();
      }
    }
    return null;
  }

  private static @Nullable CpuSet list(String text) {
    try {
      return CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable CpuSet mask(String text) {
    try {
      return CpuSet.parseMask(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}

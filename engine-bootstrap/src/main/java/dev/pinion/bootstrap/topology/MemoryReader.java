package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.Memory;
import org.jspecify.annotations.Nullable;

/** Reads the total and the allowed memory. */
final class MemoryReader {
  private final FileTree tree;
  private final Cgroups cgroups;

  MemoryReader(FileTree tree, Cgroups cgroups) {
    this.tree = tree;
    this.cgroups = cgroups;
  }

  Memory memory() {
    long total = kilobytes(tree.read("proc/meminfo"), "MemTotal:");
    Long limit = cgroups.memoryLimit();
    if (limit == null || limit <= 0) {
      return new Memory(total, total);
    }
    return new Memory(total, total == 0 ? limit : Math.min(total, limit));
  }

  /** The value of a label in the format of {@code /proc/meminfo}, in bytes; 0 without one. */
  static long kilobytes(@Nullable String text, String label) {
    int at = text == null ? -1 : text.indexOf(label);
    if (text == null || at < 0) {
      return 0;
    }
    int end = text.indexOf("kB", at);
    if (end < 0) {
      return 0;
    }
    try {
      return Long.parseLong(text.substring(at + label.length(), end).strip()) << 10;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}

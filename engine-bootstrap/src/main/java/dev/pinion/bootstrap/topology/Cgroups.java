package dev.pinion.bootstrap.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Limits of this process by its control groups, for versions 1 and 2 of cgroups.
 *
 * <p>Inside a container the path that {@code /proc/self/cgroup} names may not exist below the
 * mount; then the nearest existing parent folder counts.
 */
final class Cgroups {
  private static final List<String> CPU_FILES =
      List.of(
          "cpuset.cpus.effective",
          "cpuset.effective_cpus",
          "cpuset.cpus",
          "effective_cpus",
          "cpus");

  private static final List<String> MEMORY_NODE_FILES =
      List.of(
          "cpuset.mems.effective",
          "cpuset.effective_mems",
          "cpuset.mems",
          "effective_mems",
          "mems");

  private final FileTree tree;
  private final List<String> notes;
  private final List<String[]> mounts = new ArrayList<>();
  private final List<String[]> groups = new ArrayList<>();

  Cgroups(FileTree tree, List<String> notes) {
    this.tree = tree;
    this.notes = notes;
    for (String line : lines("proc/mounts")) {
      String[] words = line.split(" ", -1);
      if (words.length >= 4) {
        mounts.add(words);
      }
    }
    for (String line : lines("proc/self/cgroup")) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && parts[2].startsWith("/")) {
        groups.add(parts);
      }
    }
  }

  private String[] lines(String file) {
    String text = tree.read(file);
    return text == null ? new String[0] : text.split("\n", -1);
  }

  /** The CPUs of the cpuset, or null if none can be read. */
  @Nullable CpuSet cpus() {
    return nearest(CPU_FILES);
  }

  /** The numbers of the NUMA nodes of the cpuset, or null if none can be read. */
  @Nullable CpuSet memoryNodes() {
    return nearest(MEMORY_NODE_FILES);
  }

  private @Nullable CpuSet nearest(List<String> names) {
    for (String folder : folders("cpuset")) {
      for (String name : names) {
        CpuSet set = set(folder + "/" + name);
        if (set != null) {
          return set;
        }
      }
    }
    return null;
  }

  /** The set in a file, or null if there is none: then the next file counts. */
  private @Nullable CpuSet set(String file) {
    String text = tree.read(file);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return CpuSet.parse(text);
    } catch (IllegalArgumentException e) {
      notes.add("/" + file + " cannot be read as a list: it is passed over");
      return null;
    }
  }

  /** The lowest memory limit from the group up to the root, or null without one. */
  @Nullable Long memoryLimit() {
    Long lowest = null;
    for (String folder : folders("memory")) {
      for (String name : List.of("memory.max", "memory.limit_in_bytes")) {
        Long limit = number(tree.read(folder + "/" + name));
        if (limit != null && (lowest == null || limit < lowest)) {
          lowest = limit;
        }
      }
    }
    return lowest;
  }

  /** The lowest CPU quota from the group up to the root, in CPUs, or null without one. */
  @Nullable Double cpuQuota() {
    Double lowest = null;
    for (String folder : folders("cpu")) {
      Double quota = quota(folder);
      if (quota != null && (lowest == null || quota < lowest)) {
        lowest = quota;
      }
    }
    return lowest;
  }

  private @Nullable Double quota(String folder) {
    String max = tree.read(folder + "/cpu.max");
    String[] words = max == null ? new String[0] : max.split(" ", -1);
    Long quota =
        words.length == 2 ? number(words[0]) : number(tree.read(folder + "/cpu.cfs_quota_us"));
    Long period =
        words.length == 2 ? number(words[1]) : number(tree.read(folder + "/cpu.cfs_period_us"));
    return quota == null || period == null || quota <= 0 || period <= 0
        ? null
        : (double) quota / period;
  }

  /** The folders of this process's group for a controller, from its own folder up to the mount. */
  private List<String> folders(String controller) {
    List<String> folders = new ArrayList<>();
    addFolders(folders, mount("cgroup", controller), path(controller));
    addFolders(folders, mount("cpuset", controller), path(controller));
    addFolders(folders, mount("cgroup2", controller), unifiedPath(controller));
    return folders;
  }

  private static void addFolders(
      List<String> folders, @Nullable String mount, @Nullable String path) {
    if (mount == null || path == null) {
      return;
    }
    String rest = path;
    while (rest.length() > 1) {
      folders.add(mount + rest);
      rest = rest.substring(0, rest.lastIndexOf('/'));
    }
    folders.add(mount);
  }

  private @Nullable String mount(String type, String controller) {
    for (String[] words : mounts) {
      if (words[2].equals(type) && serves(type, controller, words[3])) {
        return words[1].substring(1);
      }
    }
    return null;
  }

  private static boolean serves(String type, String controller, String options) {
    return switch (type) {
      case "cgroup2" -> true;
      case "cpuset" -> controller.equals("cpuset");
      default -> List.of(options.split(",", -1)).contains(controller);
    };
  }

  /** The path of the group in the hierarchy of version 1 that has a controller. */
  private @Nullable String path(String controller) {
    for (String[] parts : groups) {
      if (List.of(parts[1].split(",", -1)).contains(controller)) {
        return parts[2];
      }
    }
    return ownCpuset(controller);
  }

  private @Nullable String unifiedPath(String controller) {
    for (String[] parts : groups) {
      if (parts[1].isEmpty()) {
        return parts[2];
      }
    }
    return ownCpuset(controller);
  }

  private @Nullable String ownCpuset(String controller) {
    return controller.equals("cpuset") ? tree.read("proc/self/cpuset") : null;
  }

  private static @Nullable Long number(@Nullable String text) {
    if (text == null || text.toLowerCase(Locale.ROOT).equals("max")) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}

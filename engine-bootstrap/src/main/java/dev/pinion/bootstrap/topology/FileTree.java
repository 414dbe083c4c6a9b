package dev.pinion.bootstrap.topology;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files a probe reads, by path relative to the root of the machine, such as {@code
 * sys/devices/system/cpu/online}: the machine itself, a captured one below other folders, or one in
 * memory.
 */
public interface FileTree {
  /**
   * The text of a file, or null when it cannot be read; without white space and NULs around it,
   * which some kernels leave behind.
   */
  @Nullable String read(String path);

  /** The names directly below a folder, sorted; empty when there is no such folder. */
  List<String> names(String folder);

  /** Where a file or folder is, for people. */
  default String place(String path) {
    return "/" + path;
  }

  /** A tree in memory. */
  static FileTree of(Map<String, String> files) {
    return new FileTree() {
      @Override
      public @Nullable String read(String path) {
        String text = files.get(path);
        return text == null ? null : text.trim();
      }

      @Override
      public List<String> names(String folder) {
        String prefix = folder + "/";
        TreeSet<String> names = new TreeSet<>();
        for (String path : files.keySet()) {
          if (path.startsWith(prefix)) {
            String rest = path.substring(prefix.length());
            int slash = rest.indexOf('/');
            names.add(slash < 0 ? rest : rest.substring(0, slash));
          }
        }
        return List.copyOf(names);
      }
    };
  }
}

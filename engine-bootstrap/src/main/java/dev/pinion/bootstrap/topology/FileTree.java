package dev.pinion.bootstrap.topology;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files a probe reads, by path relative to the root of the machine, such as {@code
 * sys/devices/system/cpu/online}: this machine, a captured one below other folders, or one in
 * memory.
 */
public interface FileTree {
  /**
   * The text of a file, or null when it cannot be read; without surrounding white space and NULs,
   * which some kernels add.
   */
  @Nullable String read(String path);

  /** The names directly below a folder, sorted; empty when there is no such folder. */
  List<String> names(String folder);

  /** Location of a file or folder, for people. */
  default String describe(String path) {
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

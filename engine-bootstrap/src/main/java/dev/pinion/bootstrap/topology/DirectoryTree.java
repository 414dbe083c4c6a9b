package dev.pinion.bootstrap.topology;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file tree on disk: this machine's own, or a captured one. */
public final class DirectoryTree implements FileTree {
  /** Bytes read of one file; more than any file a probe reads has. */
  private static final int MAX_FILE_BYTES = 4 << 20;

  private final Path sys;
  private final Path proc;
  private final Path rest;

  /**
   * A tree with its own places for sysfs and procfs. Everything else, such as a cgroup file system
   * mounted outside of sysfs, is looked for beside the folder that stands for {@code /sys}.
   *
   * @param sys the folder that stands for {@code /sys}
   * @param proc the folder that stands for {@code /proc}
   */
  public DirectoryTree(Path sys, Path proc) {
    this.sys = sys.toAbsolutePath();
    this.proc = proc.toAbsolutePath();
    Path parent = this.sys.getParent();
    this.rest = parent == null ? this.sys : parent;
  }

  /** The machine this runs on. */
  public static DirectoryTree live() {
    return new DirectoryTree(Path.of("/sys"), Path.of("/proc"));
  }

  @Override
  public @Nullable String read(String path) {
    try (InputStream in = Files.newInputStream(resolve(path))) {
      return new String(in.readNBytes(MAX_FILE_BYTES), StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public List<String> names(String folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(resolve(folder))) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (IOException e) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }

  private Path resolve(String path) {
    if (path.startsWith("sys/")) {
      return sys.resolve(path.substring("sys/".length()));
    }
    if (path.startsWith("proc/")) {
      return proc.resolve(path.substring("proc/".length()));
    }
    return rest.resolve(path);
  }
}

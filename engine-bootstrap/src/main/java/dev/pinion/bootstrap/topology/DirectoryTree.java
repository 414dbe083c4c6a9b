package dev.pinion.bootstrap.topology;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file tree on disk: this machine's own, or a captured one.
 *
 * <p>Read with {@code java.io}, which needs half the system calls of {@code java.nio.file} for such
 * small files.
 */
public final class DirectoryTree implements FileTree {
  private static final String SYS = "sys/";

  /** Most bytes read of one file; larger than any file a probe reads. */
  private static final int MAX_FILE_BYTES = 4 << 20;

  /** Size that nearly every file stays below, in bytes. */
  private static final int USUAL_FILE_BYTES = 1_024;

  private final File sys;
  private final File proc;
  private final File rest;

  /**
   * A tree with given places for sysfs and procfs. All other files, such as a cgroup file system
   * mounted outside of sysfs, are searched beside the folder in place of {@code /sys}.
   *
   * @param sys the folder in place of {@code /sys}
   * @param proc the folder in place of {@code /proc}
   */
  public DirectoryTree(Path sys, Path proc) {
    this.sys = sys.toAbsolutePath().toFile();
    this.proc = proc.toAbsolutePath().toFile();
    File parent = this.sys.getParentFile();
    this.rest = parent == null ? this.sys : parent;
  }

  /** The machine on which this runs. */
  public static DirectoryTree live() {
    return new DirectoryTree(Path.of("/sys"), Path.of("/proc"));
  }

  @Override
  public @Nullable String read(String path) {
    try (InputStream in = new FileInputStream(resolve(path))) {
      byte[] usual = new byte[USUAL_FILE_BYTES];
      int length = Math.max(0, in.read(usual));
      if (length < usual.length && path.startsWith(SYS)) {
        // a read returns a sysfs attribute as a whole
        return new String(usual, 0, length, StandardCharsets.UTF_8).trim();
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream(2 * usual.length);
      text.write(usual, 0, length);
      text.write(in.readNBytes(MAX_FILE_BYTES - length));
      return text.toString(StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public List<String> names(String folder) {
    String[] names = resolve(folder).list();
    if (names == null) {
      return List.of();
    }
    Arrays.sort(names);
    return List.of(names);
  }

  @Override
  public String describe(String path) {
    return resolve(path).getPath();
  }

  private File resolve(String path) {
    if (path.startsWith(SYS)) {
      return new File(sys, path.substring(SYS.length()));
    }
    if (path.startsWith("proc/")) {
      return new File(proc, path.substring("proc/".length()));
    }
    return new File(rest, path);
  }
}

package dev.pinion.bootstrap.serve;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small volume in memory (tmpfs), mounted in a separate mount namespace, which a process keeps
 * until the volume is closed. Engines are started within that namespace.
 */
final class SmallVolume implements AutoCloseable {
  private static final String FILLER = "filler";

  private final Path folder;
  private final Process keeper;

  private SmallVolume(Path folder, Process keeper) {
    this.folder = folder;
    this.keeper = keeper;
  }

  /**
   * Mounts a volume, unless this user may not have mount namespaces.
   *
   * @param folder mount point
   */
  static @Nullable SmallVolume mount(Path folder, int mebibytes) throws IOException {
    Files.createDirectories(folder);
    String mount = "mount -t tmpfs -o size=" + mebibytes + "m none \"$1\" && echo mounted && cat";
    Process keeper =
        new ProcessBuilder(
                "unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", folder.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader words = keeper.inputReader(StandardCharsets.UTF_8);
    String word = words.readLine();
    if (!"mounted".equals(word)) {
      System.out.println("no volume of " + mebibytes + " MiB: " + word);
      keeper.destroyForcibly();
      return null;
    }
    return new SmallVolume(folder, keeper);
  }

  /** Starts an engine with its data there. */
  ServedEngine start(String... options) throws IOException {
    List<String> within =
        List.of(
            "nsenter",
            "--target",
            Long.toString(keeper.pid()),
            "--user",
            "--preserve-credentials",
            "--mount",
            "--");
    List<String> all = new ArrayList<>(List.of(options));
    return ServedEngine.startUnder(within, folder.resolve("data"), all.toArray(String[]::new));
  }

  /** The folder from this process's view. */
  private Path here() {
    return Path.of("/proc/" + keeper.pid() + "/root" + folder);
  }

  /** Bytes in use. */
  long used() throws IOException {
    FileStore store = Files.getFileStore(here());
    return store.getTotalSpace() - store.getUnallocatedSpace();
  }

  /** Fills all remaining space. */
  void fill() throws IOException {
    byte[] chunk = new byte[1 << 16];
    try (FileOutputStream out = new FileOutputStream(here().resolve(FILLER).toFile(), true)) {
      for (int size = chunk.length; size > 0; ) {
        try {
          out.write(chunk, 0, size);
        } catch (IOException e) {
          size /= 2; // no space for this many
        }
      }
    }
  }

  /** Frees the filled space. */
  void empty() throws IOException {
    Files.delete(here().resolve(FILLER));
  }

  @Override
  public void close() {
    keeper.destroyForcibly().onExit().join();
  }
}

package dev.pinion.handlers.builtin;

import dev.pinion.handlers.api.Settings;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Objects on files that handlers of one process share, one for each file: chains overlap for a
 * while when they are replaced, and several handlers may name one file. Safe for use by any thread.
 *
 * @param <T> the object on a file
 */
public final class SharedFiles<T extends AutoCloseable> {
  private static final String PROCESS = "{process}";

  private final Map<Path, Lease<T>> uses = new HashMap<>(); // guarded by this

  /**
   * The object on the file in the setting {@code file}, opened unless it is open. {@code {process}}
   * in the name is the id of this process.
   *
   * @throws IllegalArgumentException when that fails; it has then been reported as a problem of the
   *     settings
   */
  public Lease<T> opened(Settings settings, Opener<T> opener) {
    String file = settings.text("file");
    String found;
    try {
      String name = file.replace(PROCESS, Long.toString(ProcessHandle.current().pid()));
      return acquire(Path.of(name).toAbsolutePath().normalize(), opener);
    } catch (IOException | InvalidPathException e) {
      found = e.toString();
    }
    if (settings.has("file")) {
      settings.problem("file", "expected a usable file, found \"" + file + "\": " + found);
    }
    throw new IllegalArgumentException("unusable file " + file);
  }

  private synchronized Lease<T> acquire(Path path, Opener<T> opener) throws IOException {
    Lease<T> lease = uses.get(path);
    if (lease == null) {
      lease = new Lease<>(this, path, opener.open(path));
      uses.put(path, lease);
    }
    lease.users++;
    return lease;
  }

  private void release(Lease<T> lease) throws Exception {
    synchronized (this) {
      lease.users--;
      if (lease.users > 0) {
        return;
      }
      uses.remove(lease.path);
      lease.value.close(); // within the lock, so that it is not opened before
    }
  }

  /** Opens an object on a file. */
  public interface Opener<T> {
    /** Opens it. */
    T open(Path path) throws IOException;
  }

  /** An object on a file, used by some handlers; each closes it once. */
  public static final class Lease<T extends AutoCloseable> implements AutoCloseable {
    private final SharedFiles<T> owner;
    private final Path path;
    private final T value;
    private int users; // guarded by the owner

    private Lease(SharedFiles<T> owner, Path path, T value) {
      this.owner = owner;
      this.path = path;
      this.value = value;
    }

    public T value() {
      return value;
    }

    @Override
    public void close() {
      try {
        owner.release(this);
      } catch (Exception e) {
        throw new IllegalStateException("expected " + path + " to be closed, found it failing", e);
      }
    }
  }
}

package dev.pinion.handlers.builtin;

import dev.pinion.handlers.api.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content of a file, read off the path of messages on a separate thread: at the start, and again
 * when its time stamp, size or identity has changed. When a file becomes unusable, its last good
 * content stays in force, and the problem is logged once for each change. Safe for use by any
 * thread.
 *
 * @param <T> the content; immutable
 */
public final class FileSnapshot<T> implements AutoCloseable {
  public static final Duration DEFAULT_RELOAD = Duration.ofSeconds(30);
  public static final Duration MAX_RELOAD = Duration.ofDays(1);

  private static final Logger LOG = LoggerFactory.getLogger(FileSnapshot.class);

  private final Path path;
  private final int maxBytes;
  private final Parser<T> parser;
  private final ScheduledExecutorService thread;
  private Stamp stamp; // used by the checking thread, under the lock of this
  private volatile T content;

  private FileSnapshot(Path path, int maxBytes, Parser<T> parser) throws IOException {
    this.path = path;
    this.maxBytes = maxBytes;
    this.parser = parser;
    this.stamp = Stamp.of(path);
    this.content = read();
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("handler-file-" + path.getFileName()).factory());
  }

  /**
   * Reads the file in the setting {@code file}, and checks it again every {@code reload}.
   *
   * @param maxBytes the largest file
   * @param parser makes content from its bytes
   * @throws IllegalArgumentException when that fails; it has then been reported as a problem of the
   *     settings
   */
  public static <T> FileSnapshot<T> opened(Settings settings, int maxBytes, Parser<T> parser) {
    String file = settings.text("file");
    Duration reload = settings.duration("reload", DEFAULT_RELOAD, MAX_RELOAD);
    String found;
    try {
      FileSnapshot<T> snapshot = new FileSnapshot<>(Path.of(file), maxBytes, parser);
      snapshot.checkEvery(reload);
      return snapshot;
    } catch (IOException | InvalidPathException e) {
      found = e.toString();
    } catch (IllegalArgumentException e) {
      found = String.valueOf(e.getMessage());
    }
    if (settings.has("file")) {
      settings.problem("file", "expected a usable file, found \"" + file + "\": " + found);
    }
    throw new IllegalArgumentException("unusable file " + file);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // ends with its thread
  private void checkEvery(Duration reload) {
    long nanos = reload.toNanos();
    thread.scheduleWithFixedDelay(this::check, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** The content in force. */
  public T content() {
    return content;
  }

  /** Reads the file again if it has changed. */
  public synchronized void check() {
    Stamp now;
    try {
      now = Stamp.of(path);
      if (now.equals(stamp)) {
        return;
      }
      stamp = now;
      content = read();
      LOG.info("read {} again", path);
    } catch (IOException | IllegalArgumentException e) {
      LOG.error(
          "expected a usable file {}, found {}; its last good content stays in force",
          path,
          e.toString());
    }
  }

  private T read() throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new IllegalArgumentException("expected at most " + maxBytes + " B, found more");
      }
      return parser.parse(bytes);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Makes content from bytes. */
  public interface Parser<T> {
    /**
     * The content.
     *
     * @throws IllegalArgumentException when it is unusable; the message says what was expected and
     *     found
     */
    T parse(byte[] bytes) throws IOException;
  }

  private record Stamp(long modifiedMillis, long size, @Nullable Object identity) {
    static Stamp of(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime().toMillis(), found.size(), found.fileKey());
    }
  }
}

package dev.pinion.bootstrap.history;

import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.recovery.JournalFollower;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Last positions of an engine's journals on disk, independent of their history. For any thread. */
public final class JournalEndPositions {
  private static final Logger LOG = LoggerFactory.getLogger(JournalEndPositions.class);

  private final Path root;

  /**
   * The journals below a data directory.
   *
   * @param data the data directory
   */
  public JournalEndPositions(Path data) {
    this.root = data.resolve("journal");
  }

  /**
   * Present journals on disk.
   *
   * @param last last record of each, by the journal's identity
   * @param complete whether these are all; there may be others that cannot be read now
   */
  record Heads(Map<String, Long> last, boolean complete) {}

  /** Reads the heads of all journals. */
  Heads read() {
    Map<String, Long> last = new TreeMap<>();
    boolean complete = true;
    if (Files.isDirectory(root)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
        for (Path folder : folders) {
          complete &= read(folder, last);
        }
      } catch (IOException | DirectoryIteratorException e) {
        LOG.debug("the journals cannot be listed", e);
        complete = false;
      }
    }
    return new Heads(last, complete);
  }

  private static boolean read(Path folder, Map<String, Long> last) {
    try {
      FileStorage storage = new FileStorage(folder);
      last.put(JournalFollower.identity(storage).toString(), JournalFollower.durable(storage));
      return true;
    } catch (LogFollower.NotMadeYetException e) {
      LOG.debug("a journal that is being made", e);
      return true;
    } catch (IOException e) {
      LOG.debug("a journal that cannot be read now", e);
      return false;
    }
  }
}

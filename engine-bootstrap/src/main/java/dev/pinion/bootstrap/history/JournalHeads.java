package dev.pinion.bootstrap.history;

import dev.pinion.core.engine.JournalFollower;
import dev.pinion.core.journal.store.FileStorage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the journals of an engine reach on disk, whatever became of their history. Any thread.
 */
public final class JournalHeads {
  private static final Logger LOG = LoggerFactory.getLogger(JournalHeads.class);

  private final Path root;

  /**
   * The journals below a data directory.
   *
   * @param data the data directory
   */
  public JournalHeads(Path data) {
    this.root = data.resolve("journal");
  }

  /** The last record on disk of each journal, by the journal's identity. */
  Map<String, Long> read() {
    Map<String, Long> heads = new TreeMap<>();
    if (!Files.isDirectory(root)) {
      return heads;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path folder : folders) {
        read(folder, heads);
      }
    } catch (IOException e) {
      LOG.debug("the journals cannot be listed", e);
    }
    return heads;
  }

  private static void read(Path folder, Map<String, Long> heads) {
    try {
      FileStorage storage = FileStorage.create(folder);
      heads.put(JournalFollower.identity(storage).toString(), JournalFollower.durable(storage));
    } catch (IOException e) {
      LOG.debug("a journal that is being made", e);
    }
  }
}

package dev.pinion.bootstrap.datadir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates folders within the data folder, never the data folder itself: it may be unmounted. */
public final class DataSubdirectory {
  private DataSubdirectory() {}

  /**
   * Creates one folder, if it is missing.
   *
   * @throws IOException when it cannot be created, for instance because its parent folder is
   *     missing
   */
  public static Path make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      try {
        Files.createDirectory(folder, OwnerOnlyPermissions.ofFolder(folder));
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(folder)) {
          throw e;
        }
        // another process was first
      }
    }
    return folder;
  }
}

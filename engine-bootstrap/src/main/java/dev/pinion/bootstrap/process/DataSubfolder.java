package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes folders within the data folder, never the data folder itself: it may be unmounted. */
public final class DataSubfolder {
  private DataSubfolder() {}

  /**
   * Makes one folder, unless it is there.
   *
   * @throws IOException when it cannot be made, as where the folder above it is gone
   */
  public static Path make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      try {
        Files.createDirectory(folder, OwnerOnly.ofFolder(folder));
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

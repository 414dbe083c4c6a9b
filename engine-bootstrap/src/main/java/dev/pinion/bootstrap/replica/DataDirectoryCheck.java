package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.DataDirectoryIdentity;
import dev.pinion.bootstrap.process.ReplicaSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks, for child processes of the parent, that the data folder is there, before they read or
 * create any file.
 */
final class DataDirectoryCheck {
  private DataDirectoryCheck() {}

  /**
   * Checks the data folder.
   *
   * @throws DataDirectoryIdentity.DataDirectoryLostException when it is missing or another one
   * @throws IOException when it cannot be read
   */
  static void check(ReplicaSettings settings) throws IOException {
    if (!settings.dataIdentity().isEmpty()) {
      DataDirectoryIdentity.parse(settings.dataIdentity()).check(Path.of(settings.dataDirectory()));
    }
  }
}

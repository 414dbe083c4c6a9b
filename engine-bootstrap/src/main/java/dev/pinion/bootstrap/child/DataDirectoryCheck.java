package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.protocol.ReplicaSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks, for child processes of the parent, that the data folder is there, before they read or
 * create any file.
 */
public final class DataDirectoryCheck {
  private DataDirectoryCheck() {}

  /**
   * Checks the data folder.
   *
   * @throws DataDirectoryIdentity.DataDirectoryLostException when it is missing or another one
   * @throws IOException when it cannot be read
   */
  public static void check(ReplicaSettings settings) throws IOException {
    if (!settings.dataIdentity().isEmpty()) {
      DataDirectoryIdentity.parse(settings.dataIdentity()).check(Path.of(settings.dataDirectory()));
    }
  }
}

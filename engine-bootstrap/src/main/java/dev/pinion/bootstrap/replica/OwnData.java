package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.DataIdentity;
import dev.pinion.bootstrap.process.ReplicaSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The check of a child of the parent, before it reads or makes any file, that the data is there.
 */
final class OwnData {
  private OwnData() {}

  /**
   * Checks the data folder.
   *
   * @throws DataIdentity.LostException when it is gone or another one
   * @throws IOException when that cannot be found out
   */
  static void check(ReplicaSettings settings) throws IOException {
    if (!settings.dataIdentity().isEmpty()) {
      DataIdentity.parse(settings.dataIdentity()).check(Path.of(settings.dataDirectory()));
    }
  }
}

package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import java.io.IOException;
import java.util.Optional;

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
  public static void check(EffectiveSettings settings) throws IOException {
    Optional<DataDirectoryIdentity> identity = settings.get(ReplicaKey.DATA_IDENTITY);
    if (identity.isPresent()) {
      identity.get().check(settings.get(SettingKey.DATA));
    }
  }
}

package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.settings.SettingValues;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The database of the history.
 *
 * @param url JDBC URL, without credentials
 * @param file the file of an embedded database, or null
 * @param user its user, or empty
 * @param password its password, or empty; never shown
 */
public record DatabaseTarget(String url, @Nullable Path file, String user, String password) {
  /** No history. */
  public static final String NONE = SettingValues.NO_HISTORY;

  /** An embedded database below the data directory. */
  public static final String SQLITE = SettingValues.EMBEDDED_HISTORY;

  /**
   * Reads a setting; null for no history.
   *
   * @param setting {@link #NONE}, {@link #SQLITE} or a URL of PostgreSQL
   * @param data the data directory
   * @throws IllegalArgumentException when it is anything else, or contains credentials
   */
  public static @Nullable DatabaseTarget of(
      String setting, Path data, String user, String password) {
    if (setting.equals(NONE)) {
      return null;
    }
    if (setting.equals(SQLITE)) {
      Path file = data.resolve("history").resolve("history.db");
      return new DatabaseTarget("jdbc:sqlite:" + file, file, "", "");
    }
    return new DatabaseTarget(SettingValues.historyDatabase(setting), null, user, password);
  }

  /**
   * The database of the broker's knowledge beside a history: the same one, or a separate embedded
   * one, so that two processes never wait for each other's writing. Null for none.
   *
   * @throws IllegalArgumentException when the setting cannot be used
   */
  public static @Nullable DatabaseTarget ofKnowledge(
      String setting, Path data, String user, String password) {
    if (setting.equals(SQLITE)) {
      Path file = data.resolve("broker").resolve("knowledge.db");
      return new DatabaseTarget("jdbc:sqlite:" + file, file, "", "");
    }
    return of(setting, data, user, password);
  }

  boolean isEmbedded() {
    return file != null;
  }

  Properties credentials() {
    Properties properties = new Properties();
    if (!user.isEmpty()) {
      properties.setProperty("user", user);
    }
    if (!password.isEmpty()) {
      properties.setProperty("password", password);
    }
    return properties;
  }

  @Override
  public String toString() {
    return url;
  }
}

package dev.pinion.bootstrap.protocol;

/**
 * Database of the history of instances, and permitted destinations of results.
 *
 * @param database {@code none}, {@code sqlite} or a URL of PostgreSQL without credentials
 * @param user its user, or empty
 * @param password its password, or empty; never shown
 * @param sinks permitted destinations of results, in the format of {@code SinkPolicy}
 */
public record HistorySettings(String database, String user, String password, String sinks) {
  /** No history. */
  public static final HistorySettings NONE = new HistorySettings("none", "", "", "guarded");

  /** Whether there is a history. */
  public boolean isKept() {
    return !database.equals(NONE.database);
  }

  @Override
  public String toString() {
    return database;
  }
}

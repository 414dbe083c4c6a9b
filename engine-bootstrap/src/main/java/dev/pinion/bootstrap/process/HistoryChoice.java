package dev.pinion.bootstrap.process;

/**
 * Where the history of instances is kept.
 *
 * @param database {@code none}, {@code sqlite} or a URL of PostgreSQL without credentials
 * @param user who logs in there, or empty
 * @param password its password, or empty; never shown
 */
public record HistoryChoice(String database, String user, String password) {
  /** Keeps none. */
  public static final HistoryChoice NONE = new HistoryChoice("none", "", "");

  /** Whether a history is kept. */
  public boolean isKept() {
    return !database.equals(NONE.database);
  }

  @Override
  public String toString() {
    return database;
  }
}

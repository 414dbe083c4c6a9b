package dev.pinion.bootstrap.process;

/**
 * Where the history of instances is kept, and where results may be sent to from it.
 *
 * @param database {@code none}, {@code sqlite} or a URL of PostgreSQL without credentials
 * @param user who logs in there, or empty
 * @param password its password, or empty; never shown
 * @param sinks where results may be sent to, in the form of {@code SinkPolicy}
 */
public record HistoryChoice(String database, String user, String password, String sinks) {
  /** Keeps none. */
  public static final HistoryChoice NONE = new HistoryChoice("none", "", "", "guarded");

  /** Whether a history is kept. */
  public boolean isKept() {
    return !database.equals(NONE.database);
  }

  @Override
  public String toString() {
    return database;
  }
}

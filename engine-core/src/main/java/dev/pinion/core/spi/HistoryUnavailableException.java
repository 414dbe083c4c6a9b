package dev.pinion.core.spi;

/** The database is off, down or being created. */
public final class HistoryUnavailableException extends Exception {
  private static final long serialVersionUID = 1;

  /** An error with its reason, for clients. */
  public HistoryUnavailableException(String message) {
    super(message);
  }

  /** An error with its reason, for clients. */
  public HistoryUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}

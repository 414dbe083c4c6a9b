package dev.pinion.benchmarks.experiment;

/** A measurement that is worth nothing; the message says in one sentence why. */
public final class MeasurementException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A failure of its own. */
  public MeasurementException(String message) {
    super(message);
  }

  /** A failure with its cause. */
  public MeasurementException(String message, Throwable cause) {
    super(message, cause);
  }
}

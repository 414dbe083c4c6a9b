package dev.pinion.benchmarks.experiment;

/** An invalid measurement; the message says in one sentence why. */
public final class MeasurementException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A failure without a cause. */
  public MeasurementException(String message) {
    super(message);
  }

  /** A failure with its cause. */
  public MeasurementException(String message, Throwable cause) {
    super(message, cause);
  }
}

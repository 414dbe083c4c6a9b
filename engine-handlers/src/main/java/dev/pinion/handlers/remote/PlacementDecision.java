package dev.pinion.handlers.remote;

import java.util.Locale;

/**
 * The place of a handler that may run here or in a host, with the reason.
 *
 * @param away whether it runs in a host
 * @param measured whether both sides were measured often enough to decide; otherwise it runs here
 * @param bytes the size of messages
 * @param hereNanos time of the handler here
 * @param wayNanos time of the way to a host and back
 * @param wayMessageNanos of that, for each message
 * @param wayByteNanos of that, for each byte; 0 while all messages had about the same size
 */
public record PlacementDecision(
    boolean away,
    boolean measured,
    long bytes,
    double hereNanos,
    double wayNanos,
    double wayMessageNanos,
    double wayByteNanos) {
  private static final double MICRO = 1_000;

  /** For people, such as "in a host: 2000.0 us here is more than …". */
  public String reason() {
    if (!measured) {
      return "here: not measured often enough yet";
    }
    return String.format(
        Locale.ROOT,
        "%s: %.1f us here is %s than the way to a host and back with %d bytes, %.1f us (%.1f us"
            + " and %.2f us for each KiB), by %s %.0f %%",
        away ? "in a host" : "here",
        hereNanos / MICRO,
        hereNanos > wayNanos ? "more" : "less",
        bytes,
        wayNanos / MICRO,
        wayMessageNanos / MICRO,
        wayByteNanos * 1_024 / MICRO,
        decisive() ? "more than" : "less than",
        CostModel.MARGIN * 100);
  }

  private boolean decisive() {
    double less = Math.min(hereNanos, wayNanos);
    return Math.max(hereNanos, wayNanos) > less * (1 + CostModel.MARGIN);
  }
}

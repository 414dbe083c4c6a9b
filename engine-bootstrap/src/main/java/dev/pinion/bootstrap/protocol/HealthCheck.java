package dev.pinion.bootstrap.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A check of the engine's health, as the parent reports it to operators and replicas.
 *
 * @param name name of the check, one word
 * @param ready whether it succeeds
 * @param required whether starts are refused while it fails
 * @param detail a sentence for operators
 */
public record HealthCheck(String name, boolean ready, boolean required, String detail) {
  private static final int PARTS = 5;

  /** Line of the protocol. */
  public String line() {
    return ReplicaProtocol.CHECK
        + " "
        + name
        + " "
        + ready
        + " "
        + required
        + " "
        + detail.replaceAll("\\R", " ");
  }

  /** Reads a line of the protocol; null when it is not a check. */
  public static @Nullable HealthCheck parse(String line) {
    String[] parts = line.split(" ", PARTS);
    return parts.length == PARTS && parts[0].equals(ReplicaProtocol.CHECK)
        ? new HealthCheck(
            parts[1], Boolean.parseBoolean(parts[2]), Boolean.parseBoolean(parts[3]), parts[4])
        : null;
  }
}

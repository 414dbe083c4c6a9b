package dev.pinion.broker.registry;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A contract of a user: requests of a class, up to a rate, from one moment until another.
 *
 * @param id its name
 * @param user its user: callers of this name get the class; may be empty
 * @param serviceClass the class
 * @param rate requests/s that it allows, more than 0
 * @param from the first moment at which it holds, or null for the moment of its admission
 * @param until the first moment at which it no longer holds, or null for none
 */
public record Sla(
    String id,
    String user,
    String serviceClass,
    double rate,
    @Nullable Instant from,
    @Nullable Instant until) {
  /** Most characters of a user. */
  public static final int MAX_USER_CHARS = 256;

  /** Beginning of its validity, if it is admitted at a moment. */
  public Instant beginning(Instant moment) {
    return from == null || from.isBefore(moment) ? moment : from;
  }

  /**
   * Whether its demands, from a moment on, are included in those of another one of the same class.
   */
  public boolean isCoveredBy(Sla other, Instant moment) {
    boolean noSooner = !beginning(moment).isBefore(other.beginning(moment));
    boolean noLater = other.until == null || (until != null && !until.isAfter(other.until));
    return serviceClass.equals(other.serviceClass) && rate <= other.rate && noSooner && noLater;
  }

  /** Whether it holds at a moment. */
  public boolean isValidAt(Instant moment) {
    return (from == null || !moment.isBefore(from)) && !hasEndedAt(moment);
  }

  /** Whether it will never hold again. */
  public boolean hasEndedAt(Instant moment) {
    return until != null && !moment.isBefore(until);
  }
}

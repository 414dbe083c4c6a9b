package dev.pinion.broker.contract;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A contract of a user: requests of a class, up to a rate, from one moment until another.
 *
 * @param id its name
 * @param user whose it is: callers of this name get the class; may be empty
 * @param serviceClass the class
 * @param rate requests/s that it allows, more than 0
 * @param from the first moment at which it holds, or null for the one at which it is taken on
 * @param until the first moment at which it does not hold any more, or null for none
 */
public record Sla(
    String id,
    String user,
    String serviceClass,
    double rate,
    @Nullable Instant from,
    @Nullable Instant until) {
  /** Characters of the longest user. */
  public static final int MAX_USER_CHARS = 256;

  /** From when on it holds, if it is taken on at a moment. */
  public Instant beginning(Instant moment) {
    return from == null || from.isBefore(moment) ? moment : from;
  }

  /**
   * Whether it asks, from a moment on, for nothing that another one of the same class does not ask
   * for.
   */
  public boolean asksNoMoreThan(Sla other, Instant moment) {
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

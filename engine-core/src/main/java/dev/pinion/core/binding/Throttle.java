package dev.pinion.core.binding;

/** Limit of callers to their contracted rates. Any thread; must not block. */
@FunctionalInterface
public interface Throttle {
  /** A throttle without limits. */
  Throttle NONE = (serviceClass, user, rate) -> 0;

  /**
   * Counts a request. A request within the rate uses a part of it; one beyond uses none.
   *
   * @param serviceClass the class
   * @param user user of the rate: one with a contract, or empty for all others of the class
   * @param rate requests/s, more than 0
   * @return 0 when it is within the rate, else the nanoseconds after which one would be
   */
  long take(String serviceClass, String user, double rate);
}

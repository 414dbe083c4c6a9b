package dev.pinion.core.spi;

/** Holds callers to the rates that were contracted. Any thread; must not block. */
@FunctionalInterface
public interface Throttle {
  /** Finds everything within. */
  Throttle NONE = (serviceClass, user, rate) -> 0;

  /**
   * A request has come. One within the rate takes its place; one beyond takes none.
   *
   * @param serviceClass the class
   * @param user whose rate it is: one with a contract, or empty for all others of the class
   * @param rate requests/s, more than 0
   * @return 0 when it is within the rate, else the nanoseconds after which one would be
   */
  long take(String serviceClass, String user, double rate);
}

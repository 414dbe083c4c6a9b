package dev.pinion.bootstrap.cli;

import dev.pinion.core.model.Clock;
import java.util.function.Supplier;

/**
 * Time of reading the machine. Every start waits for it, and it should stay below 50 ms.
 *
 * @param micros the time in microseconds
 */
public record ProbeTime(long micros) {
  /**
   * A machine and the time of reading it.
   *
   * @param value result of reading
   * @param time time of reading
   */
  public record TimedResult<T>(T value, ProbeTime time) {}

  /** Reads something. */
  public static <T> TimedResult<T> of(Supplier<T> probe) {
    Clock clock = Clock.system();
    long begunNs = clock.nanoTime();
    T value = probe.get();
    return new TimedResult<>(value, new ProbeTime((clock.nanoTime() - begunNs) / 1_000));
  }

  /** A sentence for people, in milliseconds. */
  @Override
  public String toString() {
    return "the machine was read in " + micros / 1_000 + "." + micros % 1_000 / 100 + " ms";
  }
}

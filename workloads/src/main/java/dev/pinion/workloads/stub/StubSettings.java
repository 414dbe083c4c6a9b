package dev.pinion.workloads.stub;

import java.time.Duration;

/**
 * Settings of a stub provider.
 *
 * @param port port on the loopback interface, 0 for a free one
 * @param services number of services, named {@code s1} and so on; 1 to {@value #MAX_SERVICES}
 * @param delay response time, at most {@value #MAX_DELAY_SECONDS} seconds; zero for immediate
 *     responses
 * @param threads event loops, 1 to {@value #MAX_THREADS}
 */
public record StubSettings(int port, int services, Duration delay, int threads) {
  /** The highest port. */
  public static final int MAX_PORT = 65_535;

  /** Most services of a stub. */
  public static final int MAX_SERVICES = 10_000;

  /** Most event loops of a stub. */
  public static final int MAX_THREADS = 64;

  /** Longest delay, in seconds. */
  public static final int MAX_DELAY_SECONDS = 3_600;

  /** Checks the ranges. */
  public StubSettings {
    expect("port", port, 0, MAX_PORT);
    expect("services", services, 1, MAX_SERVICES);
    expect("threads", threads, 1, MAX_THREADS);
    expect("delay in ms", delay.toMillis(), 0, MAX_DELAY_SECONDS * 1_000L);
  }

  /** Six services on a free port, one event loop, immediate responses. */
  public static StubSettings standard() {
    return new StubSettings(0, 6, Duration.ZERO, 1);
  }

  private static void expect(String name, long found, long least, long most) {
    if (found < least || found > most) {
      throw new IllegalArgumentException(
          "expected " + name + " from " + least + " to " + most + ", found " + found);
    }
  }
}

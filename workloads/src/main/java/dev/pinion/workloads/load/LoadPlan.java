package dev.pinion.workloads.load;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Target, requests and duration of a load. Without arrivals the model is closed: each client has
 * one connection, thinks, sends a request, and waits for its answer. With them it is open: requests
 * are due at their rate, and clients are connections that send them. A load ends when the time is
 * over, the count is reached or every client has completed its iterations, whichever comes first;
 * then every request under way is still awaited.
 *
 * @param requests requests that clients send in turn; all to the same host and port
 * @param clients clients, 1 to {@value #MAX_CLIENTS}
 * @param thinkTime mean of the think time; zero for none. Drawn from a normal distribution whose
 *     variance is half the square of its mean, as in the SOSOA evaluation (mean 1 s, variance 0.5),
 *     and truncated at zero
 * @param warmUp time before responses are measured
 * @param warmUpClients number of clients meanwhile: few, because on a busy core many of them starve
 *     the JIT compiler of the server
 * @param duration time in which responses are measured
 * @param count measured requests after which it ends; {@link Long#MAX_VALUE} for no such end
 * @param iterations measured requests of each client in the closed model, after which it ends;
 *     {@link Long#MAX_VALUE} for no such end
 * @param arrivals arrival process of the open model; null for the closed model
 * @param timeout time after which a response counts as missing and its connection is abandoned; in
 *     the open model from when its request was due
 * @param threads event loops, 1 to {@value #MAX_THREADS}
 * @param seed seed of think times and arrivals
 */
public record LoadPlan(
    List<LoadRequest> requests,
    int clients,
    Duration thinkTime,
    Duration warmUp,
    int warmUpClients,
    Duration duration,
    long count,
    long iterations,
    @Nullable Arrivals arrivals,
    Duration timeout,
    int threads,
    long seed) {
  /** Most clients of a plan. */
  public static final int MAX_CLIENTS = 100_000;

  /** Most event loops of a plan. */
  public static final int MAX_THREADS = 64;

  /** Longest warm-up, duration, think time and timeout. */
  public static final Duration MAX_TIME = Duration.ofDays(7);

  /** Checks the ranges. */
  public LoadPlan {
    requests = List.copyOf(requests);
    expect(!requests.isEmpty(), "at least one request", "none");
    expect(
        requests.stream().map(LoadPlan::server).distinct().count() == 1,
        "requests to one host and port",
        "several");
    expect(within(clients, MAX_CLIENTS), "1 to " + MAX_CLIENTS + " clients", clients);
    expect(within(warmUpClients, clients), "1 to " + clients + " warm-up clients", warmUpClients);
    expect(within(threads, MAX_THREADS), "1 to " + MAX_THREADS + " threads", threads);
    expect(count > 0, "a count above 0", count);
    expect(iterations > 0, "iterations above 0", iterations);
    expect(
        arrivals == null || (thinkTime.isZero() && iterations == Long.MAX_VALUE),
        "either arrivals or clients that think and count their iterations",
        "both");
    expect(!duration.isZero(), "a duration above zero", duration);
    expect(!timeout.isZero(), "a timeout above zero", timeout);
    for (Duration time : List.of(thinkTime, warmUp, duration, timeout)) {
      expect(
          !time.isNegative() && time.compareTo(MAX_TIME) <= 0,
          "times from zero to " + MAX_TIME.toDays() + " days",
          time);
    }
  }

  /**
   * A closed plan without think time: 2 s of warm-up with at most 4 clients, 30 s timeout, one
   * loop.
   */
  public static LoadPlan of(List<LoadRequest> requests, int clients, Duration duration) {
    return new LoadPlan(
        requests,
        clients,
        Duration.ZERO,
        Duration.ofSeconds(2),
        Math.min(4, clients),
        duration,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        null,
        Duration.ofSeconds(30),
        1,
        1);
  }

  /** This plan with think time. */
  public LoadPlan thinking(Duration mean, long newSeed) {
    return new LoadPlan(
        requests,
        clients,
        mean,
        warmUp,
        warmUpClients,
        duration,
        count,
        iterations,
        arrivals,
        timeout,
        threads,
        newSeed);
  }

  /** This plan in the open model. */
  public LoadPlan arriving(Arrivals process, long newSeed) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        warmUp,
        warmUpClients,
        duration,
        count,
        iterations,
        process,
        timeout,
        threads,
        newSeed);
  }

  /** This plan with another warm-up. */
  public LoadPlan warmingUp(Duration time, int withClients) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        time,
        withClients,
        duration,
        count,
        iterations,
        arrivals,
        timeout,
        threads,
        seed);
  }

  /** This plan, ending after a number of measured requests at the latest. */
  public LoadPlan endingAfter(long requestsInAll) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        warmUp,
        warmUpClients,
        duration,
        requestsInAll,
        iterations,
        arrivals,
        timeout,
        threads,
        seed);
  }

  /** This plan, each client ending after a number of measured requests at the latest. */
  public LoadPlan iterating(long times) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        warmUp,
        warmUpClients,
        duration,
        count,
        times,
        arrivals,
        timeout,
        threads,
        seed);
  }

  /** This plan with another timeout. */
  public LoadPlan timingOutAfter(Duration time) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        warmUp,
        warmUpClients,
        duration,
        count,
        iterations,
        arrivals,
        time,
        threads,
        seed);
  }

  /** This plan on a number of event loops. */
  public LoadPlan onThreads(int loops) {
    return new LoadPlan(
        requests,
        clients,
        thinkTime,
        warmUp,
        warmUpClients,
        duration,
        count,
        iterations,
        arrivals,
        timeout,
        loops,
        seed);
  }

  private static InetSocketAddress server(LoadRequest request) {
    return InetSocketAddress.createUnresolved(request.uri().getHost(), request.port());
  }

  private static boolean within(int value, int most) {
    return value >= 1 && value <= most;
  }

  private static void expect(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected + ", found " + found);
    }
  }
}

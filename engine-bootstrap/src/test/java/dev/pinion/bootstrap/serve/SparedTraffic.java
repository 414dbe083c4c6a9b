package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.serve.SteadyLoad.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Effect on the clients of one replica while the other one is killed and restarts: rate and latency
 * on its connections soon after kills against times without kills.
 *
 * <pre>
 *   ──calm──┃kill of 0: clients that are at 1 count┃────┃kill of 1: those at 0┃── … ──calm──
 * </pre>
 *
 * <p>Only clients count that had a connection to the other replica when one was killed, until they
 * connect to the restarted one: others have a backlog of unsent requests. A rate is responses by
 * time of a client; as the load is open, each gap between two intended requests is time of the
 * later one.
 */
final class SparedTraffic {
  /** Time for which a kill may have an effect. */
  static final Duration AFTERMATH = Duration.ofSeconds(3);

  private final NavigableMap<Long, Window> windows = new TreeMap<>();
  private final Side aftermath = new Side();
  private final Side calm = new Side();

  /**
   * A kill of a replica.
   *
   * @param pid its process
   * @param nanos time just before
   * @param deadNanos time at which its process had ended
   */
  record Kill(int slot, long pid, long nanos, long deadNanos) {}

  /** A time without kills. */
  record Span(long from, long to) {}

  /**
   * A time in which requests count.
   *
   * @param until for each counting client, the time of its first request that does not count; null
   *     when all count
   */
  private record Window(long from, long to, @Nullable Map<Long, Long> until, Side side) {
    boolean counts(Request request) {
      return until == null
          || request.intendedNanos() < until.getOrDefault(request.client(), Long.MIN_VALUE);
    }
  }

  /** Responses in one kind of time. */
  private static final class Side {
    private final List<Double> millis = new ArrayList<>();
    private double clientSeconds;

    double rate() {
      return millis.size() / clientSeconds;
    }

    double p99() {
      List<Double> sorted = millis.stream().sorted().toList();
      return sorted.isEmpty() ? Double.NaN : sorted.get((sorted.size() - 1) * 99 / 100);
    }
  }

  /**
   * Evaluates a load of two replicas.
   *
   * @param kills in their order
   * @param calm times without kills, long before or after them
   */
  SparedTraffic(List<Request> requests, List<Kill> kills, List<Span> calm) {
    List<Request> intended =
        requests.stream().sorted(Comparator.comparingLong(Request::intendedNanos)).toList();
    for (int i = 0; i < kills.size(); i++) {
      long from = kills.get(i).nanos();
      long next = i + 1 < kills.size() ? kills.get(i + 1).nanos() : Long.MAX_VALUE;
      long to = Math.min(from + AFTERMATH.toNanos(), next);
      int spared = 1 - kills.get(i).slot();
      windows.put(from, new Window(from, to, clientsOf(spared, from, intended), aftermath));
    }
    calm.forEach(
        each -> windows.put(each.from(), new Window(each.from(), each.to(), null, this.calm)));
    requests.stream().filter(Request::right).forEach(this::countAnswer);
    Map<Long, Long> last = new HashMap<>();
    for (Request each : intended) {
      Long before = last.put(each.client(), each.intendedNanos());
      countTime(before == null ? each.intendedNanos() : before, each);
    }
  }

  /** Clients of a replica at a time, and when each next uses another one. */
  private static Map<Long, Long> clientsOf(int slot, long nanos, List<Request> intended) {
    Map<Long, Integer> slots = new HashMap<>();
    Map<Long, Long> until = new HashMap<>();
    for (Request each : intended) {
      if (each.intendedNanos() <= nanos) {
        slots.put(each.client(), each.slot());
      } else if (each.slot() != slot) {
        until.putIfAbsent(each.client(), each.intendedNanos());
      }
    }
    slots.forEach(
        (client, at) -> {
          if (at == slot) {
            until.putIfAbsent(client, Long.MAX_VALUE);
          } else {
            until.remove(client);
          }
        });
    return until;
  }

  private void countAnswer(Request request) {
    Map.Entry<Long, Window> entry = windows.floorEntry(request.endedNanos());
    if (entry != null) {
      Window window = entry.getValue();
      if (request.endedNanos() < window.to && window.counts(request)) {
        window.side.millis.add(request.millis());
      }
    }
  }

  private void countTime(long from, Request request) {
    for (Window each : windows.headMap(request.intendedNanos(), true).descendingMap().values()) {
      if (each.to <= from) {
        break;
      }
      if (each.counts(request)) {
        long overlap = Math.min(each.to, request.intendedNanos()) - Math.max(each.from, from);
        each.side.clientSeconds += Math.max(0, overlap) / 1e9;
      }
    }
  }

  /** Rate soon after kills, relative to the rate at other times. */
  double rateRatio() {
    return aftermath.rate() / calm.rate();
  }

  /** The 99th percentile soon after kills, relative to that at other times. */
  double p99Ratio() {
    return aftermath.p99() / calm.p99();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        ("on connections of the other replica within %d s of a kill %.2f answers/s each (%d), p99"
            + " %.2f ms; without kills %.2f answers/s (%d), p99 %.2f ms; rate %+.2f %%, p99 %.2f"
            + " times"),
        AFTERMATH.toSeconds(),
        aftermath.rate(),
        aftermath.millis.size(),
        aftermath.p99(),
        calm.rate(),
        calm.millis.size(),
        calm.p99(),
        (rateRatio() - 1) * 100,
        p99Ratio());
  }
}

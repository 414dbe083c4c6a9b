package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.serve.SparedTraffic.Kill;
import dev.pinion.bootstrap.serve.SparedTraffic.Span;
import dev.pinion.bootstrap.serve.SteadyLoad.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two clients that each send every 100 ms, and a kill of replica 0 after five seconds. */
class SparedTrafficTest {
  private static final long MILLI = 1_000_000;
  private static final long KILLED_MILLIS = 5_000;

  @Test
  void shouldCountOnlyClientsThatWereAtTheOtherReplica() {
    // given one client that stays at replica 1, and one that arrives there late and with a backlog
    List<Request> requests = new ArrayList<>();
    for (int millis = 0; millis < 10_000; millis += 100) {
      boolean killed = millis > KILLED_MILLIS;
      requests.add(request(1, millis, killed ? 2 : 1, 1));
      requests.add(request(2, millis + 50, killed ? 900 : 1, killed ? 1 : 0));
    }

    // when
    SparedTraffic traffic = traffic(requests);

    // then
    assertEquals(1, traffic.rateRatio(), 0.04);
    assertEquals(2, traffic.p99Ratio(), 1e-9);
  }

  @Test
  void shouldNoticeThatAnswersAreMissing() {
    List<Request> requests = new ArrayList<>();
    for (int millis = 0; millis < 10_000; millis += 100) {
      boolean stalled = millis > KILLED_MILLIS + 1_500;
      requests.add(request(1, millis, stalled ? 20_000 : 1, 1));
      requests.add(request(2, millis + 50, 1, 0));
    }

    assertEquals(0.5, traffic(requests).rateRatio(), 0.04);
  }

  private static SparedTraffic traffic(List<Request> requests) {
    return new SparedTraffic(
        requests,
        List.of(new Kill(0, 7, KILLED_MILLIS * MILLI, KILLED_MILLIS * MILLI)),
        List.of(new Span(0, 4_000 * MILLI)));
  }

  private static Request request(long client, long millis, long latencyMillis, int slot) {
    long nanos = millis * MILLI;
    return new Request(nanos, nanos + latencyMillis * MILLI, client, 0, slot, 200, false);
  }
}

package dev.pinion.handlers.builtin.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Buckets of tokens by the value of a property. */
class RateLimitTest {
  private static final long SECOND = 1_000_000_000;

  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();

  private static Message of(String client) {
    return HandlerTrial.message(Map.of("client.address", client));
  }

  private Handler limit(String settings) throws Exception {
    return HandlerTrial.handler(new RateLimitFactory(clock), settings);
  }

  @Test
  void shouldRefuseWhatIsBeyondTheRate() throws Exception {
    try (Handler limit = limit("{\"rate\": 2, \"per\": \"PT10S\"}")) {
      HandlerTrial.after(limit, of("a"));
      HandlerTrial.after(limit, of("a"));
      String stopped = HandlerTrial.stopped(limit, of("a"));
      assertTrue(stopped.startsWith("429 {retry-after=5}"), stopped);
      HandlerTrial.after(limit, of("b"));
      clock.advance(4_999);
      assertTrue(HandlerTrial.stopped(limit, of("a")).startsWith("429 {retry-after=1}"));
      clock.advance(1);
      HandlerTrial.after(limit, of("a"));
      assertTrue(HandlerTrial.stopped(limit, of("a")).startsWith("429 "));
      clock.advance(60_000);
      HandlerTrial.after(limit, of("a"));
      HandlerTrial.after(limit, of("a"));
      assertTrue(HandlerTrial.stopped(limit, of("a")).startsWith("429 "), "no more than the burst");
      assertEquals(4, metric(limit, "pinion_rate_limit_refused_total"));
    }
  }

  private static double metric(Handler limit, String name) {
    return ((Metered) limit)
        .metrics().stream()
            .filter(each -> each.name().equals(name))
            .mapToDouble(Metric::value)
            .sum();
  }

  @Test
  void shouldAllowABurst() throws Exception {
    try (Handler limit = limit("{\"rate\": 1, \"burst\": 3}")) {
      for (int i = 0; i < 3; i++) {
        HandlerTrial.after(limit, of("a"));
      }
      assertTrue(HandlerTrial.stopped(limit, of("a")).startsWith("429 {retry-after=1}"));
    }
  }

  @Test
  void shouldGiveOneBucketToAllKeysBeyondTheBound() throws Exception {
    try (Handler limit = limit("{\"rate\": 1, \"maxKeys\": 2}")) {
      HandlerTrial.after(limit, of("a"));
      HandlerTrial.after(limit, of("b"));
      HandlerTrial.after(limit, of("c"));
      assertTrue(HandlerTrial.stopped(limit, of("d")).startsWith("429 "), "shared with c");
      assertTrue(HandlerTrial.stopped(limit, of("a")).startsWith("429 "), "a is not forgotten");
      assertEquals(2, metric(limit, "pinion_rate_limit_shared_total"));
      clock.advance(1_000);
      HandlerTrial.after(limit, of("d"));
      HandlerTrial.after(limit, of("e"));
      assertEquals(2, metric(limit, "pinion_rate_limit_keys"), "full buckets made room");
      assertEquals(2, metric(limit, "pinion_rate_limit_shared_total"));
    }
  }

  @Test
  void shouldCutLongKeysAndCountThoseWithoutAsOne() throws Exception {
    try (Handler limit = limit("{\"rate\": 1}")) {
      String key = "k".repeat(RateLimitFactory.MAX_KEY_CHARS);
      HandlerTrial.after(limit, of(key));
      assertTrue(HandlerTrial.stopped(limit, of(key + "more")).startsWith("429 "));
      HandlerTrial.after(limit, of(key.substring(1)));
      HandlerTrial.after(limit, HandlerTrial.message(Map.of()));
      assertTrue(HandlerTrial.stopped(limit, HandlerTrial.message(Map.of())).startsWith("429 "));
    }
  }

  @Test
  void shouldNotCareWhereTheMonotonicTimeBegins() {
    long near = Long.MAX_VALUE - SECOND / 2;
    TokenBuckets buckets = new TokenBuckets(SECOND, 1, 1, near);
    assertEquals(0, buckets.take("a", near));
    assertEquals(SECOND, buckets.take("a", near));
    assertEquals(0, buckets.take("a", near + SECOND), "it has wrapped around");
    assertEquals(0, buckets.take("b", near), "shared");
    assertEquals(0, buckets.take("b", near + 3 * SECOND));
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    RateLimitFactory factory = new RateLimitFactory(clock);
    assertTrue(HandlerTrial.problems(factory, "{}").contains("expected the setting \"rate\""));
    assertTrue(HandlerTrial.problems(factory, "{\"rate\": 0}").contains("from 1 to 1000000"));
    String tiny = HandlerTrial.problems(factory, "{\"rate\": 1000, \"per\": \"PT0.0000001S\"}");
    assertTrue(tiny.contains("expected a time for a token"), tiny);
    assertEquals(
        "[]", HandlerTrial.problems(factory, "{\"rate\": 1, \"per\": \"PT24H\", \"burst\": 1}"));
    String deep =
        HandlerTrial.problems(factory, "{\"rate\": 1, \"per\": \"PT24H\", \"burst\": 1000000}");
    assertTrue(deep.contains("expected a time for a token"), deep);
  }
}

package dev.pinion.handlers.builtin.security;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Limits the rate of messages for each value of a property, such as the address of a client. */
public final class RateLimitFactory implements HandlerFactory {
  /** Longer values count by this prefix. */
  static final int MAX_KEY_CHARS = 256;

  private final Clock clock;

  /** For the service loader. */
  public RateLimitFactory() {
    this(Clock.system());
  }

  RateLimitFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "rate-limit";
  }

  @Override
  public String summary() {
    return "Refuses messages beyond a rate for each value of a property.";
  }

  @Override
  public Handler create(Settings settings) {
    String key = settings.text("key", "client.address");
    if (key.isEmpty() || key.contains("*")) {
      settings.problem("key", "expected the name of a property, found \"" + key + "\"");
      key = "client.address";
    }
    if (!settings.has("rate")) {
      settings.problem(null, "expected the setting \"rate\", a whole number, found none");
    }
    int rate = settings.integer("rate", 1, 1, 1_000_000);
    Duration per = settings.duration("per", Duration.ofSeconds(1), Duration.ofDays(1));
    int burst = settings.integer("burst", rate, 1, 1_000_000);
    int maxKeys = settings.integer("maxKeys", 10_000, 1, 1_000_000);
    long interval = per.toNanos() / rate;
    if (interval == 0 || interval > Long.MAX_VALUE / 2 / burst) {
      settings.problem("per", "expected a time for a token that can be counted, found " + per);
      interval = 1;
    }
    TokenBuckets buckets = new TokenBuckets(interval, burst, maxKeys, clock.nanoTime());
    return new Limit(key, rate, per, buckets, new AtomicLong(), clock);
  }

  private record Limit(
      String key, int rate, Duration per, TokenBuckets buckets, AtomicLong refused, Clock clock)
      implements Metered {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.property(key))
          .stopping()
          .mandatory()
          .with(EffectClass.ATOMIC)
          .with(Work.CHEAP);
    }

    @Override
    public Verdict handle(View message) {
      String value = message.property(key, "");
      String of = value.length() <= MAX_KEY_CHARS ? value : value.substring(0, MAX_KEY_CHARS);
      long wait = buckets.take(of, clock.nanoTime());
      if (wait == 0) {
        return Verdict.UNCHANGED;
      }
      refused.incrementAndGet();
      return HandlerProblem.TOO_MANY.refuse(
          "expected at most " + rate + " messages in " + per + " for each " + key + ", found more",
          "retry-after",
          Long.toString(Math.ceilDiv(wait, NANOS_PER_SECOND)));
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.counter("pinion_rate_limit_refused_total", "Messages refused.", refused.get()),
          Metric.counter(
              "pinion_rate_limit_shared_total",
              "Messages of keys beyond the bound, which share one bucket.",
              buckets.sharedUses()),
          Metric.gauge("pinion_rate_limit_keys", "Keys with a separate bucket.", buckets.keys()));
    }
  }
}

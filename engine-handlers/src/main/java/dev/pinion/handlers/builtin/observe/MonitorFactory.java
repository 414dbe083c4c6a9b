package dev.pinion.handlers.builtin.observe;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts messages, their sizes and senders, by point. */
public final class MonitorFactory implements HandlerFactory {
  private final Clock clock;

  /** For the service loader. */
  public MonitorFactory() {
    this(Clock.system());
  }

  MonitorFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "monitor";
  }

  @Override
  public String summary() {
    return "Counts messages, their sizes and distinct clients, as metrics.";
  }

  @Override
  public Handler create(Settings settings) {
    String client = settings.text("client", "client.address");
    if (client.isEmpty() || client.contains("*")) {
      settings.problem("client", "expected the name of a property, found \"" + client + "\"");
      client = "client.address";
    }
    Duration period = settings.duration("period", Duration.ofMinutes(1), Duration.ofDays(1));
    int maxClients = settings.integer("maxClients", 10_000, 1, 1_000_000);
    Map<Point, TrafficStatistics> traffic = new EnumMap<>(Point.class);
    for (Point point : Point.values()) {
      traffic.put(point, new TrafficStatistics(period.toNanos(), maxClients, clock.nanoTime()));
    }
    return new Monitor(traffic, client, clock);
  }

  private record Monitor(Map<Point, TrafficStatistics> traffic, String client, Clock clock)
      implements Metered {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.bytes(), Slot.property(client))
          .with(EffectClass.ATOMIC)
          .with(Work.CHEAP);
    }

    @Override
    public Verdict handle(View message) {
      Objects.requireNonNull(traffic.get(message.point()))
          .see(message.body().size(), message.property(client, ""), clock.nanoTime());
      return Verdict.UNCHANGED;
    }

    @Override
    public List<Metric> metrics() {
      List<Metric> metrics = new ArrayList<>();
      traffic.forEach(
          (point, seen) -> {
            String name = point.name().toLowerCase(Locale.ROOT).replace('_', '-');
            metrics.addAll(seen.metrics(Map.of("point", name), clock.nanoTime()));
          });
      return metrics;
    }
  }
}

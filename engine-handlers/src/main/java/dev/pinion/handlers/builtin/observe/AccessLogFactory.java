package dev.pinion.handlers.builtin.observe;

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
import dev.pinion.handlers.builtin.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Writes a line of JSON for each message into a file that is rotated, off the path of messages. */
public final class AccessLogFactory implements HandlerFactory {
  private static final int MAX_PROPERTIES = 16;
  private static final SharedFiles<AccessLog> LOGS = new SharedFiles<>();

  private final Clock clock;

  /** For the service loader. */
  public AccessLogFactory() {
    this(Clock.system());
  }

  AccessLogFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "access-log";
  }

  @Override
  public String summary() {
    return "Writes a line of JSON for each message into a file that is rotated.";
  }

  @Override
  public Handler create(Settings settings) {
    AccessRecord.Names names = settings.choice("fields", AccessRecord.Names.ECS);
    List<String> properties = settings.texts("properties");
    if (properties.size() > MAX_PROPERTIES
        || properties.stream().anyMatch(name -> name.isEmpty() || name.contains("*"))) {
      settings.problem(
          "properties",
          "expected the names of at most " + MAX_PROPERTIES + " properties, found " + properties);
      properties = List.of();
    }
    AccessLog.AccessLogSettings accessLogSettings = terms(settings);
    SharedFiles.Lease<AccessLog> log =
        LOGS.opened(settings, path -> started(path, accessLogSettings));
    log.value().adopt(accessLogSettings);
    AccessRecord.AccessRecordFormat accessRecordFormat =
        new AccessRecord.AccessRecordFormat(names, names.fields(properties));
    return new Access(log, accessRecordFormat, clock);
  }

  private AccessLog started(Path path, AccessLog.AccessLogSettings accessLogSettings)
      throws IOException {
    AccessLog log = new AccessLog(path, accessLogSettings, clock);
    log.start();
    return log;
  }

  private static AccessLog.AccessLogSettings terms(Settings settings) {
    return new AccessLog.AccessLogSettings(
        new RotatingFile.RotationPolicy(
            settings.integer("maxBytes", 64 << 20, 1 << 10, Integer.MAX_VALUE),
            settings.duration("maxAge", Duration.ofDays(1), Duration.ofDays(366)),
            settings.integer("keep", 7, 0, 1_000)),
        settings.integer("maxQueued", 8_192, 1, 1_000_000));
  }

  private record Access(
      SharedFiles.Lease<AccessLog> log, AccessRecord.AccessRecordFormat format, Clock clock)
      implements Metered {
    @Override
    public Declaration declaration() {
      Slot[] slots =
          format.fields().stream()
              .map(field -> Slot.property(field.property()))
              .toArray(Slot[]::new);
      return Declaration.NOTHING
          .reading(Slot.bytes())
          .reading(slots)
          .with(EffectClass.ATOMIC)
          .with(Work.CHEAP);
    }

    @Override
    public Verdict handle(View message) {
      log.value().offer(AccessRecord.of(message, format, clock.epochMillis()));
      return Verdict.UNCHANGED;
    }

    @Override
    public List<Metric> metrics() {
      AccessLog of = log.value();
      return List.of(
          Metric.counter(
              "pinion_access_log_records_total", "Records that are in the file.", of.written()),
          Metric.counter(
              "pinion_access_log_dropped_total",
              "Records that found the queue full or closed.",
              of.dropped()),
          Metric.counter(
              "pinion_access_log_failed_total",
              "Records that the file did not take.",
              of.failed()));
    }

    @Override
    public void close() {
      log.close();
    }
  }
}

package dev.pinion.handlers.builtin.observe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.pinion.handlers.builtin.Digests;
import dev.pinion.handlers.builtin.SharedFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/** Records each message in a file of chained records; no message continues without its record. */
public final class AuditFactory implements HandlerFactory {
  private static final int MAX_PROPERTIES = 16;
  private static final SharedFiles<AuditFile> FILES = new SharedFiles<>();

  private final Clock clock;

  /** For the service loader. */
  public AuditFactory() {
    this(Clock.system());
  }

  AuditFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "audit";
  }

  @Override
  public String summary() {
    return "Records messages in a file that shows when it was tampered with.";
  }

  @Override
  public Handler create(Settings settings) {
    List<String> properties = settings.texts("properties");
    if (properties.size() > MAX_PROPERTIES
        || properties.stream().anyMatch(name -> name.isEmpty() || name.contains("*"))) {
      settings.problem(
          "properties",
          "expected the names of at most " + MAX_PROPERTIES + " properties, found " + properties);
      properties = List.of();
    }
    boolean force = settings.flag("force", true);
    long maxBytes = (long) settings.integer("maxMegabytes", 1_024, 1, 1 << 20) << 20;
    SharedFiles.Lease<AuditFile> file =
        FILES.opened(settings, path -> new AuditFile(path, maxBytes));
    file.value().adopt(maxBytes);
    return new Audit(file, List.copyOf(properties), force, clock);
  }

  private record Audit(
      SharedFiles.Lease<AuditFile> file, List<String> properties, boolean force, Clock clock)
      implements Metered {
    @Override
    public Declaration declaration() {
      Slot[] slots = properties.stream().map(Slot::property).toArray(Slot[]::new);
      return Declaration.NOTHING
          .reading(Slot.bytes())
          .reading(slots)
          .mandatory()
          .with(EffectClass.ATOMIC)
          .with(force ? Work.IO : Work.CPU);
    }

    @Override
    public Verdict handle(View message) throws IOException {
      ObjectNode told = JsonNodeFactory.instance.objectNode();
      told.put("at", Instant.ofEpochMilli(clock.epochMillis()).toString());
      told.put("message", message.id().toString());
      told.put("point", message.point().name());
      told.put("mediaType", message.body().mediaType());
      byte[] body = message.bytes();
      told.put("bytes", body.length);
      told.put("sha256", HexFormat.of().formatHex(Digests.sha256(body)));
      ObjectNode values = told.putObject("properties");
      for (String name : properties) {
        String value = message.property(name);
        if (value != null) {
          values.put(name, value);
        }
      }
      file.value().append(told.toString(), force);
      return Verdict.UNCHANGED;
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.gauge(
              "pinion_audit_records",
              "Records in the audit file.",
              (double) file.value().records()));
    }

    @Override
    public void close() {
      file.close();
    }
  }
}

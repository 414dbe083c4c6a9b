package dev.pinion.handlers.builtin.observe;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
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
import dev.pinion.handlers.builtin.PointerSetting;
import dev.pinion.handlers.builtin.TextSelector;
import dev.pinion.handlers.builtin.security.FieldCipher;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Notifies subscribers of messages, by CloudEventWriter. Messages do not wait for it. */
public final class NotifyFactory implements HandlerFactory {
  /** The type of these events in subscriptions. */
  public static final String SUBSCRIBED = "dev.pinion.notice";

  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final String OWN = "dev.pinion.";
  private static final int MAX_DATA = 1 << 20;
  private static final int MAX_SUBJECT = 1_024;

  private final Clock clock;
  private final @Nullable NotificationSink sink;
  private final boolean needsSink;

  /** For the service loader, to inspect chains; its handlers fail on messages. */
  public NotifyFactory() {
    this(Clock.system(), null, false);
  }

  /**
   * For an engine.
   *
   * @param sink destination of events; null when nothing is published here, and no chain may use
   *     this handler
   */
  public NotifyFactory(Clock clock, @Nullable NotificationSink sink) {
    this(clock, sink, true);
  }

  private NotifyFactory(Clock clock, @Nullable NotificationSink sink, boolean needsSink) {
    this.clock = clock;
    this.sink = sink;
    this.needsSink = needsSink;
  }

  @Override
  public String name() {
    return "notify";
  }

  @Override
  public String summary() {
    return "Tells subscribers of messages, as CloudEvents.";
  }

  /** Only the engine has the history that notifies subscribers. */
  @Override
  public boolean runsInHosts(Settings settings) {
    return false;
  }

  @Override
  public Handler create(Settings settings) {
    if (needsSink && sink == null) {
      settings.problem(
          null,
          "expected an engine with a history (serve --history), which notifies subscribers;"
              + " found none");
    }
    String type = settings.text("type");
    if (settings.has("type") && (!TYPE.matcher(type).matches() || type.startsWith(OWN))) {
      settings.problem(
          "type",
          "expected a type such as com.example.order.arrived, of 1 to 128 letters, digits and"
              + " ._-, that does not begin with "
              + OWN
              + ", found \""
              + type
              + "\"");
    }
    TextSelector subject = TextSelector.of(settings, "subject");
    Slot.Json data =
        settings.has("data") ? PointerSetting.slot(settings, "data") : new Slot.Json(List.of());
    boolean withData = settings.flag("withData", true);
    if (!withData && settings.has("data")) {
      settings.problem("data", "expected no part of the body with withData: false, found one");
    }
    int maxBytes = settings.integer("maxDataBytes", 64 * 1_024, 1, MAX_DATA);
    String source = source(settings);
    return new Notify(
        new NotifySettings(type, source, subject, withData ? data : null, maxBytes),
        sink,
        clock,
        new LongAdder());
  }

  private static String source(Settings settings) {
    String source = settings.text("source", "/v1/handlers");
    try {
      if (!source.isEmpty()) {
        return new URI(source).toString();
      }
    } catch (URISyntaxException e) {
      // reported below
    }
    settings.problem("source", "expected a reference (RFC 3986), found \"" + source + "\"");
    return source;
  }

  /**
   * Settings of events.
   *
   * @param data the part of the body that they contain; null for none
   */
  private record NotifySettings(
      String type,
      String source,
      @Nullable TextSelector subject,
      Slot.@Nullable Json data,
      int maxBytes) {}

  private record Notify(
      NotifySettings terms, @Nullable NotificationSink sink, Clock clock, LongAdder told)
      implements Metered {
    private static final String DEFINITION = "definition";
    private static final int RETRIES = 2;

    @Override
    public Declaration declaration() {
      Declaration always =
          Declaration.NOTHING
              .reading(Slot.property(DEFINITION))
              .with(Work.IO)
              .with(EffectClass.ATOMIC)
              .retried(RETRIES)
              .withOneway(true);
      always = terms.data == null ? always : always.reading(terms.data);
      return terms.subject == null ? always : always.reading(terms.subject.slot());
    }

    @Override
    public Verdict handle(View message) throws IOException, PayloadSyntaxException {
      if (sink == null) {
        throw new IOException("expected an engine whose history publishes, found none");
      }
      UUID id = id(message);
      String[] definition = message.property(DEFINITION, "").split("/", 3);
      String name = definition.length > 1 ? definition[1] : "";
      sink.put(id, definition[0], name, event(id, message));
      told.increment();
      return Verdict.UNCHANGED;
    }

    /** Id of the event: the same for every attempt, and different for other events of a message. */
    private UUID id(View message) {
      String whole = message.id() + " " + message.point() + " " + terms.type + " " + terms.source;
      ByteBuffer hash = ByteBuffer.wrap(Digests.sha256(whole.getBytes(StandardCharsets.UTF_8)));
      return new UUID(hash.getLong(), hash.getLong());
    }

    private Payload event(UUID id, View message) throws PayloadSyntaxException {
      long now = clock.epochMillis();
      Map<String, Payload> members = new LinkedHashMap<>();
      members.put("specversion", Payload.of("1.0"));
      members.put("id", Payload.of(id.toString()));
      members.put("source", Payload.of(terms.source));
      members.put("type", Payload.of(terms.type));
      String subject = terms.subject == null ? null : terms.subject.read(message);
      if (subject != null && !subject.isEmpty()) {
        members.put(
            "subject", Payload.of(subject.substring(0, Math.min(subject.length(), MAX_SUBJECT))));
      }
      members.put("time", Payload.of(Instant.ofEpochMilli(now).toString()));
      members.put("sequence", Payload.of(String.format(Locale.ROOT, "%019d", now)));
      members.put("datacontenttype", Payload.of("application/json"));
      members.put("data", data(message));
      return Payload.object(members);
    }

    private Payload data(View message) throws PayloadSyntaxException {
      Payload value = terms.data == null ? null : message.json(terms.data.pointer());
      if (value == null) {
        return Payload.NULL;
      }
      int bytes = FieldCipher.CODEC.toExactBytes(value).length;
      return bytes <= terms.maxBytes
          ? value
          : Payload.object(Map.of("omittedBytes", Payload.of(bytes)));
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.counter(
              "pinion_notify_told_total",
              "Messages of which subscribers are notified, if there are any.",
              told.sum()));
    }
  }
}

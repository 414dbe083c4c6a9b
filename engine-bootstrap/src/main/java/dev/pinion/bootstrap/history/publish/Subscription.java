package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to instance events, of a client or, without a lease, of the configuration.
 * Immutable.
 *
 * @param id its id
 * @param sink destination of events
 * @param selection types of events
 * @param namespace namespace of definitions, or null for any
 * @param definition name of definitions, or null for any
 * @param mode format of the CloudEventWriter
 * @param transform jq expression that derives the data of an event from the event, or null
 * @param mediaType type of the data
 * @param leaseSeconds time until it expires unless it is renewed; 0 for one of the configuration
 * @param createdMillis wall-clock milliseconds of its creation
 * @param expiresMillis wall-clock milliseconds of its expiry
 */
public record Subscription(
    String id,
    URI sink,
    EventSelection selection,
    @Nullable String namespace,
    @Nullable String definition,
    ContentMode mode,
    @Nullable String transform,
    String mediaType,
    int leaseSeconds,
    long createdMillis,
    long expiresMillis) {
  /** The two formats of a CloudEvent in HTTP. */
  public enum ContentMode {
    /** One JSON object. */
    STRUCTURED,
    /** Attributes as header fields, the body is the data. */
    BINARY;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it is one of the configuration: it does not expire, and no sink ends it. */
  public boolean isStanding() {
    return leaseSeconds == 0;
  }

  /** Whether it has not expired. */
  public boolean isInForce(long nowMillis) {
    return nowMillis < expiresMillis;
  }

  /** Whether it selects an event. */
  public boolean matches(
      HistoryEvent.EventKind eventKind, String ofNamespace, String ofDefinition) {
    return selection.matches(eventKind)
        && (namespace == null || namespace.equals(ofNamespace))
        && (definition == null || definition.equals(ofDefinition));
  }

  /** The format for clients and for storage. */
  public Payload toPayload() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("id", Payload.of(id));
    members.put("sink", Payload.of(sink.toString()));
    members.put("types", Payload.array(selection.types().stream().map(Payload::of).toList()));
    put(members, "namespace", namespace);
    put(members, "definition", definition);
    members.put("mode", Payload.of(mode.label()));
    put(members, "transform", transform);
    members.put("mediaType", Payload.of(mediaType));
    members.put("leaseSeconds", Payload.of(leaseSeconds));
    members.put("createdAt", Payload.of(Instant.ofEpochMilli(createdMillis).toString()));
    members.put("expiresAt", Payload.of(Instant.ofEpochMilli(expiresMillis).toString()));
    return Payload.object(members);
  }

  private static void put(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, Payload.of(value));
    }
  }
}

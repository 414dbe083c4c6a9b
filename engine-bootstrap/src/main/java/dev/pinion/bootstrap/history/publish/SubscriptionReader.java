package dev.pinion.bootstrap.history.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.PublishLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.spi.Subscriptions.InvalidSubscriptionException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads subscriptions from JSON. For any thread. */
final class SubscriptionReader {
  private static final int MAX_CHARS = 2_048;
  private static final String JSON = "application/json";
  private static final String MEDIA_TYPE = "[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!-~ ]+";
  private static final Set<String> WISHED =
      Set.of(
          "sink",
          "types",
          "namespace",
          "definition",
          "mode",
          "transform",
          "mediaType",
          "leaseSeconds");
  private static final Set<String> GIVEN = Set.of("id", "createdAt", "expiresAt");

  private final PublishLimits limits;
  private final SinkPolicy policy;
  private final ExpressionCompiler compiler;

  SubscriptionReader(EngineLimits limits, SinkPolicy policy) {
    this.policy = policy;
    this.limits = limits.publish();
    this.compiler = new ExpressionCompiler(limits);
  }

  /** A subscription as requested by a client, valid from now on. */
  Subscription fromRequest(Payload wish, String id, long nowMillis)
      throws InvalidSubscriptionException {
    JsonNode json = object(wish);
    check(json, WISHED);
    int lease = lease(json);
    return allowed(subscription(json, id, lease, nowMillis, nowMillis + lease * 1_000L));
  }

  /** A subscription with changes, whose lease starts again. */
  Subscription changed(Subscription before, Payload changes, long nowMillis)
      throws InvalidSubscriptionException {
    JsonNode replaced = object(changes);
    check(replaced, WISHED);
    ObjectNode merged = ((ObjectNode) before.toPayload().json()).deepCopy();
    for (Map.Entry<String, JsonNode> member : replaced.properties()) {
      if (member.getValue().isNull()) {
        merged.remove(member.getKey());
      } else {
        merged.set(member.getKey(), member.getValue());
      }
    }
    int lease = lease(merged);
    return allowed(
        subscription(
            merged, before.id(), lease, before.createdMillis(), nowMillis + lease * 1_000L));
  }

  /**
   * A sink that was allowed once may be forbidden now; then that is reported, and nothing is sent.
   */
  private Subscription allowed(Subscription wished) throws InvalidSubscriptionException {
    try {
      policy.check(wished.sink());
      return wished;
    } catch (SinkPolicy.ForbiddenSinkException e) {
      throw new InvalidSubscriptionException(String.valueOf(e.getMessage()));
    }
  }

  /** A stored subscription. */
  Subscription stored(Payload payload) throws InvalidSubscriptionException {
    JsonNode json = object(payload);
    Set<String> known = new TreeSet<>(WISHED);
    known.addAll(GIVEN);
    check(json, known);
    return subscription(
        json, text(json, "id", ""), lease(json), time(json, "createdAt"), time(json, "expiresAt"));
  }

  private Subscription subscription(
      JsonNode json, String id, int lease, long createdMillis, long expiresMillis)
      throws InvalidSubscriptionException {
    return new Subscription(
        id,
        sink(json),
        selection(json.get("types")),
        json.has("namespace") ? text(json, "namespace", "") : null,
        json.has("definition") ? text(json, "definition", "") : null,
        mode(text(json, "mode", Subscription.ContentMode.STRUCTURED.label())),
        transform(json),
        mediaType(text(json, "mediaType", JSON)),
        lease,
        createdMillis,
        expiresMillis);
  }

  private static JsonNode object(Payload payload) throws InvalidSubscriptionException {
    if (!payload.json().isObject()) {
      throw new InvalidSubscriptionException(
          "expected a subscription such as {\"sink\": \"http://…\"}, found no object");
    }
    return payload.json();
  }

  private static void check(JsonNode json, Set<String> known) throws InvalidSubscriptionException {
    NavigableSet<String> unknown = new TreeSet<>();
    json.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      String first = unknown.first();
      String nearest = SpellingSuggestion.of(first, known);
      throw new InvalidSubscriptionException(
          "expected no members but "
              + new TreeSet<>(known)
              + ", found "
              + quoted(first)
              + (nearest == null ? "" : "; perhaps " + nearest));
    }
  }

  private static String text(JsonNode json, String name, String otherwise)
      throws InvalidSubscriptionException {
    JsonNode value = json.get(name);
    if (value == null) {
      return otherwise;
    }
    boolean fits =
        value.isTextual()
            && !value.textValue().isEmpty()
            && value.textValue().length() <= MAX_CHARS
            && value.textValue().chars().noneMatch(Character::isISOControl);
    if (!fits) {
      throw new InvalidSubscriptionException(
          "expected "
              + name
              + " to be a text of 1 to "
              + MAX_CHARS
              + " characters without control characters, found another value");
    }
    return value.textValue();
  }

  private static URI sink(JsonNode json) throws InvalidSubscriptionException {
    String text = text(json, "sink", "");
    try {
      URI sink = new URI(text);
      boolean http = "http".equalsIgnoreCase(sink.getScheme());
      if ((http || "https".equalsIgnoreCase(sink.getScheme()))
          && sink.getHost() != null
          && sink.getUserInfo() == null
          && sink.getFragment() == null) {
        return sink;
      }
    } catch (URISyntaxException e) {
      // reported below
    }
    throw new InvalidSubscriptionException(
        "expected sink to be an http or https URL without credentials and fragment, found "
            + quoted(text));
  }

  private static EventSelection selection(@Nullable JsonNode types)
      throws InvalidSubscriptionException {
    if (types == null) {
      return EventSelection.ENDS;
    }
    List<String> names = new ArrayList<>();
    for (JsonNode type : types) {
      if (!type.isTextual() || !EventSelection.isKnown(type.textValue())) {
        throw new InvalidSubscriptionException(
            "expected types of " + EventSelection.known() + ", found " + quoted(type.toString()));
      }
      names.add(type.textValue());
    }
    if (names.isEmpty()) {
      throw new InvalidSubscriptionException(
          "expected types to be a list of at least one, found another value");
    }
    return EventSelection.of(names);
  }

  private static Subscription.ContentMode mode(String label) throws InvalidSubscriptionException {
    for (Subscription.ContentMode contentMode : Subscription.ContentMode.values()) {
      if (contentMode.label().equals(label)) {
        return contentMode;
      }
    }
    throw new InvalidSubscriptionException(
        "expected mode to be structured or binary, found " + quoted(label));
  }

  private @Nullable String transform(JsonNode json) throws InvalidSubscriptionException {
    JsonNode value = json.get("transform");
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      throw new InvalidSubscriptionException(
          "expected transform to be a text, found another value");
    }
    StringBuilder problems = new StringBuilder();
    compiler.compile(
        value.textValue(), Set.of(), problem -> problems.append("; ").append(problem.message()));
    if (!problems.isEmpty()) {
      throw new InvalidSubscriptionException(
          "expected transform to be a jq expression, found problems" + problems);
    }
    return value.textValue();
  }

  private static String mediaType(String text) throws InvalidSubscriptionException {
    if (!text.matches(MEDIA_TYPE)) {
      throw new InvalidSubscriptionException(
          "expected mediaType such as text/plain, found " + quoted(text));
    }
    return text;
  }

  private int lease(JsonNode json) throws InvalidSubscriptionException {
    JsonNode value = json.get("leaseSeconds");
    if (value == null) {
      return limits.leaseSeconds();
    }
    boolean within =
        value.canConvertToInt()
            && value.canConvertToExactIntegral()
            && value.intValue() >= 1
            && value.intValue() <= limits.maxLeaseSeconds();
    if (!within) {
      throw new InvalidSubscriptionException(
          "expected leaseSeconds from 1 to "
              + limits.maxLeaseSeconds()
              + " (publish.maxLeaseSeconds), found another value");
    }
    return value.intValue();
  }

  private static long time(JsonNode json, String name) throws InvalidSubscriptionException {
    try {
      return Instant.parse(text(json, name, "")).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new InvalidSubscriptionException(
          "expected " + name + " to be a time, found another value");
    }
  }

  private static String quoted(String text) {
    return '"' + (text.length() > 200 ? text.substring(0, 200) + "…" : text) + '"';
  }
}

package dev.pinion.core.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Rfc3339;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads events from the JSON format of CloudEvents 1.0. Attributes are compared as text, so that an
 * event is the same in every mode. For any thread.
 */
public final class CloudEventReader {
  private static final int MAX_QUOTED = 100;
  private static final String DATA = "data";
  private static final String BINARY = "data_base64";
  private static final String CONTENT_TYPE = "datacontenttype";

  /** Attributes of the specification, which are strings in JSON (JSON format, 2.2 and 3). */
  private static final Set<String> TEXTS =
      Set.of("specversion", "id", "source", "type", "subject", "time", "dataschema", CONTENT_TYPE);

  private static final Set<String> DATAS = Set.of(DATA, BINARY);
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+");
  private static final Pattern JSON =
      Pattern.compile("application/(?:[^\\s;/]+\\+)?json(?:\\s*;.*)?");

  private final EventLimits limits;
  private final long maxBytes;
  private final PayloadCodec codec;

  /** A reader of events within limits. */
  public CloudEventReader(EngineLimits limits) {
    this.limits = limits.events();
    this.maxBytes = 2L * limits.request().maxBodyBytes();
    this.codec = new PayloadCodec(limits.json());
  }

  /** An object is not an event. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String expected, String found) {
      this("expected " + expected + ", found " + found);
    }

    private MalformedException(String message) {
      super(message);
    }

    /** The exception for one event of several. */
    MalformedException at(int index) {
      return new MalformedException("event " + index + " of the batch: " + getMessage());
    }
  }

  /** The events of a request; the refusal of one names its position. */
  public List<ExternalEvent> read(List<Payload> events) throws MalformedException {
    if (events.size() > limits.maxBatch()) {
      throw new MalformedException(
          "at most " + limits.maxBatch() + " events (events.maxBatch)",
          Integer.toString(events.size()));
    }
    List<ExternalEvent> read = new ArrayList<>(events.size());
    for (int i = 0; i < events.size(); i++) {
      try {
        read.add(event(events.get(i).json()));
      } catch (MalformedException e) {
        throw events.size() > 1 ? e.at(i) : e;
      }
    }
    return read;
  }

  private ExternalEvent event(JsonNode json) throws MalformedException {
    if (!json.isObject()) {
      throw new MalformedException("a JSON object as event", "another value");
    }
    SortedMap<String, String> attributes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      if (!DATAS.contains(member.getKey()) && !member.getValue().isNull()) {
        attributes.put(member.getKey(), attribute(member.getKey(), member.getValue()));
      }
    }
    String version = required(attributes, "specversion");
    if (!version.equals("1.0")) {
      throw new MalformedException("1.0 as specversion", quoted(version));
    }
    String source = required(attributes, "source");
    check("source", source, () -> uri(source));
    if (attributes.containsKey("dataschema")) {
      String schema = required(attributes, "dataschema");
      check("dataschema", schema, () -> uri(schema));
    }
    if (attributes.containsKey("time")) {
      String time = required(attributes, "time");
      check("time", time, () -> Rfc3339.parse(time));
    }
    boolean isJson = JSON.matcher(type(attributes).toLowerCase(Locale.ROOT)).matches();
    if (isJson) {
      attributes.remove(CONTENT_TYPE); // carries no further information
    }
    return event(Payload.of(withoutNulls(json)), attributes, isJson);
  }

  private ExternalEvent event(Payload event, SortedMap<String, String> attributes, boolean isJson)
      throws MalformedException {
    Payload data = event.member(DATA);
    Payload binary = event.member(BINARY);
    if (binary != null) {
      checkBinary(binary, data);
    }
    byte[] bytes = codec.toExactBytes(event);
    if (bytes.length > maxBytes) {
      throw new MalformedException(
          "an event of at most " + maxBytes + " bytes as JSON, twice request.maxBodyBytes",
          Integer.toString(bytes.length));
    }
    Payload content = data == null ? binary == null ? Payload.NULL : binary : data;
    String subject = attributes.get("subject");
    if (subject != null && subject.isEmpty()) {
      throw new MalformedException("a subject that is not empty, or none", "an empty text");
    }
    return new ExternalEvent(
        required(attributes, "source"),
        required(attributes, "id"),
        required(attributes, "type"),
        subject,
        isJson ? data : null,
        subject != null && isJson && binary == null,
        event,
        bytes,
        digest(attributes, content));
  }

  private static String type(Map<String, String> attributes) {
    return attributes.getOrDefault(CONTENT_TYPE, "application/json");
  }

  private static JsonNode withoutNulls(JsonNode json) {
    ObjectNode present = JsonNodeFactory.instance.objectNode();
    json.properties().stream()
        .filter(member -> !member.getValue().isNull())
        .forEach(member -> present.set(member.getKey(), member.getValue()));
    return present;
  }

  private static void checkBinary(Payload binary, @Nullable Payload data)
      throws MalformedException {
    if (data != null) {
      throw new MalformedException("one of data and data_base64", "both");
    }
    try {
      byte[] _ = Base64.getDecoder().decode(Objects.requireNonNullElse(binary.text(), "?"));
    } catch (IllegalArgumentException e) {
      throw new MalformedException("a text in base 64 as data_base64", "another value");
    }
  }

  private String attribute(String name, JsonNode value) throws MalformedException {
    if (!NAME.matcher(name).matches() || name.length() > limits.maxAttributeChars()) {
      throw new MalformedException(
          "a name of an attribute of a-z and 0-9, to events.maxAttributeChars", quoted(name));
    }
    if (TEXTS.contains(name) && !value.isTextual()) {
      throw new MalformedException("a string as " + name, "another value");
    }
    if (!value.isTextual() && !value.isIntegralNumber() && !value.isBoolean()) {
      throw new MalformedException(
          "a string, a whole number or a boolean as " + name, "another value");
    }
    String text = value.asText();
    boolean odd =
        text.codePoints().anyMatch(c -> Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff));
    if (odd || text.length() > limits.maxAttributeChars()) {
      throw new MalformedException(
          "at most "
              + limits.maxAttributeChars()
              + " characters (events.maxAttributeChars), no control characters, as "
              + name,
          quoted(text));
    }
    return text;
  }

  private static String required(Map<String, String> attributes, String name)
      throws MalformedException {
    String text = attributes.getOrDefault(name, "");
    if (text.isEmpty()) {
      throw new MalformedException(
          "the attribute " + name + " of an event, not empty",
          attributes.containsKey(name) ? "an empty text" : "none");
    }
    return text;
  }

  private interface Parser {
    Object parse() throws URISyntaxException;
  }

  /** A URI of RFC 3986, which is ASCII; Java would accept more. */
  private static URI uri(String text) throws URISyntaxException {
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(text)) {
      throw new URISyntaxException(text, "expected ASCII");
    }
    return new URI(text);
  }

  private static void check(String name, String text, Parser parser) throws MalformedException {
    try {
      Object _ = parser.parse();
    } catch (URISyntaxException | DateTimeParseException e) {
      throw new MalformedException(
          name.equals("time") ? "a time of RFC 3339 as time" : "a URI of RFC 3986 as " + name,
          quoted(text));
    }
  }

  private String digest(Map<String, String> attributes, Payload data) {
    MessageDigest digest = sha256();
    attributes.forEach(
        (name, text) -> digest.update((name + '=' + text + '\n').getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest(codec.toExactBytes(data)));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JVM has", e);
    }
  }

  private static String quoted(String text) {
    return '"' + (text.length() > MAX_QUOTED ? text.substring(0, MAX_QUOTED) + "…" : text) + '"';
  }
}

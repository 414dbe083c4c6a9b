package dev.pinion.bootstrap.events;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads events from JSON: CloudEventWriter 1.0 with data in JSON. Attributes are compared as text,
 * so that an event is the same in every mode. For any thread.
 */
final class CloudEventReader {
  private static final int MAX_QUOTED = 100;
  private static final String DATA = "data";
  private static final String CONTENT_TYPE = "datacontenttype";

  /** Attributes of the specification, which are strings in JSON (JSON format, 2.2 and 3). */
  private static final Set<String> TEXTS =
      Set.of("specversion", "id", "source", "type", "subject", "time", "dataschema", CONTENT_TYPE);

  private static final Pattern NAME = Pattern.compile("[a-z0-9]+");
  private static final Pattern JSON =
      Pattern.compile("application/(?:[^\\s;/]+\\+)?json(?:\\s*;.*)?");

  private final EventLimits limits;
  private final PayloadCodec codec;

  CloudEventReader(EngineLimits limits) {
    this.limits = limits.events();
    this.codec = new PayloadCodec(limits.json());
  }

  /** An object is not an event. */
  static final class MalformedException extends Exception {
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
  List<ExternalEvent> read(List<Payload> events) throws MalformedException {
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
      if (!member.getKey().equals(DATA) && !member.getValue().isNull()) {
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
    String type = attributes.getOrDefault(CONTENT_TYPE, "application/json");
    if (!JSON.matcher(type.toLowerCase(Locale.ROOT)).matches()) {
      throw new MalformedException("data in JSON", "the datacontenttype " + quoted(type));
    }
    attributes.remove(CONTENT_TYPE); // carries no further information
    JsonNode data = json.get(DATA);
    Payload kept = data == null || data.isNull() ? null : Payload.of(data);
    return new ExternalEvent(
        source,
        required(attributes, "id"),
        required(attributes, "type"),
        required(attributes, "subject"),
        kept,
        digest(attributes, kept == null ? Payload.NULL : kept));
  }

  private String attribute(String name, JsonNode value) throws MalformedException {
    if (name.equals("data_base64")) {
      throw new MalformedException("data in JSON as \"data\"", "the member data_base64");
    }
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

package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Rfc3339;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.EventEmission;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes CloudEvents from an {@code emit} task. Immutable.
 *
 * <p>Attributes that the definition leaves out get values: the source names the definition, the
 * time is that of the step. The id is left to the name of the call.
 */
public final class EventEmissionTemplate implements Expression<EventEmission> {
  private static final String ID = "id";
  private static final String SOURCE = "source";
  private static final String TIME = "time";
  private static final String VERSION = "specversion";
  private static final String CONTENT_TYPE = "datacontenttype";
  private static final String DATA = "data";

  /** Attributes of the specification, which are strings. */
  private static final Set<String> TEXTS =
      Set.of(VERSION, ID, SOURCE, "type", "subject", TIME, "dataschema", CONTENT_TYPE);

  private static final Set<String> REQUIRED = Set.of(VERSION, ID, SOURCE, "type");
  private static final Set<String> URIS = Set.of(SOURCE, "dataschema");

  private final List<Attribute> attributes;
  private final @Nullable Expression<Payload> data;
  private final boolean named;
  private final boolean timed;
  private final int maxChars;

  /**
   * An attribute.
   *
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  public record Attribute(String name, Expression<Payload> value, String place) {}

  /**
   * A template.
   *
   * @param attributes attributes that the definition gives
   * @param data the data, or null for none
   * @param maxChars most characters of an attribute
   */
  public EventEmissionTemplate(
      List<Attribute> attributes, @Nullable Expression<Payload> data, int maxChars) {
    List<Attribute> all = new ArrayList<>();
    addUnlessGiven(all, attributes, VERSION, ConstantExpressions.of(Payload.of("1.0")));
    addUnlessGiven(all, attributes, SOURCE, (_, scope, _) -> sourceOf(scope));
    all.addAll(attributes);
    if (data != null) {
      Payload json = Payload.of("application/json");
      addUnlessGiven(all, attributes, CONTENT_TYPE, ConstantExpressions.of(json));
    }
    this.attributes = List.copyOf(all);
    this.data = data;
    this.named = has(attributes, ID);
    this.timed = has(attributes, TIME);
    this.maxChars = maxChars;
  }

  private static void addUnlessGiven(
      List<Attribute> all, List<Attribute> given, String name, Expression<Payload> value) {
    if (!has(given, name)) {
      all.add(new Attribute(name, value, ""));
    }
  }

  /** The definition, as the source of its events. */
  private static Payload sourceOf(Scope scope) {
    Payload workflow = scope.variable("workflow");
    JsonNode document =
        workflow == null ? JqValues.NULL : workflow.json().path("definition").path("document");
    return Payload.of(
        "/v1/namespaces/"
            + document.path("namespace").asText()
            + "/definitions/"
            + document.path("name").asText());
  }

  private static boolean has(List<Attribute> attributes, String name) {
    return attributes.stream().anyMatch(attribute -> attribute.name.equals(name));
  }

  @Override
  public EventEmission evaluate(Payload input, Scope scope, Budget budget) {
    Map<String, Payload> event = new LinkedHashMap<>();
    for (Attribute attribute : attributes) {
      Payload value = attribute.value.evaluate(input, scope, budget);
      String problem = problem(attribute.name, value, maxChars);
      if (problem != null) {
        throw new ExpressionException(problem + attribute.place);
      }
      if (!value.isNull()) {
        event.put(attribute.name, value);
      }
    }
    if (!timed) {
      event.put(TIME, Payload.of(time(scope)));
    }
    if (data != null) {
      event.put(DATA, data.evaluate(input, scope, budget));
    }
    return new EventEmission(Payload.object(event), named);
  }

  /** The time of the step, to the millisecond. */
  private static String time(Scope scope) {
    Payload now = scope.variable("now");
    double seconds = now == null ? 0 : now.json().doubleValue();
    return Instant.ofEpochMilli(Math.round(seconds * 1_000)).toString();
  }

  /**
   * The problem of a value as an attribute of an event, or null when it is one; JSON null leaves an
   * optional attribute out.
   */
  public static @Nullable String problem(String name, Payload attribute, int maxChars) {
    JsonNode value = attribute.json();
    if (value.isNull() && !REQUIRED.contains(name)) {
      return null;
    }
    boolean fits =
        value.isTextual()
            || (!TEXTS.contains(name) && (value.isIntegralNumber() || value.isBoolean()));
    if (!fits) {
      String expected = TEXTS.contains(name) ? "a string" : "a string, a whole number or a boolean";
      return expected(expected, name, JqValues.describe(value));
    }
    return value.isTextual() ? textProblem(name, value.textValue(), maxChars) : null;
  }

  private static @Nullable String textProblem(String name, String text, int maxChars) {
    if (text.length() > maxChars || text.codePoints().anyMatch(EventEmissionTemplate::isOdd)) {
      return expected(
          "at most " + maxChars + " characters (events.maxAttributeChars), no control characters,",
          name,
          text.length() + " characters");
    }
    if (TEXTS.contains(name) && text.isEmpty()) {
      return expected("a string that is not empty", name, "\"\"");
    }
    if (name.equals(VERSION) && !text.equals("1.0")) {
      return expected("1.0", name, quoted(text));
    }
    if (URIS.contains(name) && !isUri(text)) {
      return expected("a URI reference of RFC 3986", name, quoted(text));
    }
    return name.equals(TIME) && !isTime(text)
        ? expected("a time of RFC 3339", name, quoted(text))
        : null;
  }

  private static String expected(String what, String name, String found) {
    return "expected " + what + " as \"" + name + "\" of an event, found " + found;
  }

  private static String quoted(String text) {
    return JqValues.describe(Payload.of(text).json());
  }

  private static boolean isOdd(int c) {
    return Character.isISOControl(c)
        || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private static boolean isUri(String text) {
    try {
      URI _ = new URI(text);
      return StandardCharsets.US_ASCII.newEncoder().canEncode(text); // Java would accept more
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    try {
      Instant _ = Rfc3339.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}

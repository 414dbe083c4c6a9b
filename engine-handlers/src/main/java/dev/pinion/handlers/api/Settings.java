package dev.pinion.handlers.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings by name, from a chain document. Each read states its expectation; a value that does not
 * fit becomes a {@link SettingProblem} with its place, and the result is then some value of the
 * right type, so that all problems are found at once. Not for concurrent use.
 */
public final class Settings {
  private static final int MAX_SHOWN = 60;

  private final JsonNode members;
  private final String pointer;
  private final List<SettingProblem> problems;
  private final Set<String> asked = new LinkedHashSet<>();
  private final List<Settings> inner = new ArrayList<>();

  /**
   * Settings at a place of a document.
   *
   * @param members an object; anything else is a problem
   * @param pointer JSON pointer of the object within its document
   */
  public Settings(Payload members, String pointer) {
    this(members.json(), pointer, new ArrayList<>());
  }

  private Settings(JsonNode members, String pointer, List<SettingProblem> problems) {
    this.members = members;
    this.pointer = pointer;
    this.problems = problems;
    if (!members.isObject()) {
      problem(null, "expected an object of settings, found " + shown(members));
    }
  }

  /** A mandatory text. */
  public String text(String name) {
    JsonNode value = required(name, "a string");
    return value == null ? "" : text(name, value, "");
  }

  /** A text, or a default when it is not set. */
  public String text(String name, String otherwise) {
    JsonNode value = optional(name);
    return value == null ? otherwise : text(name, value, otherwise);
  }

  private String text(String name, JsonNode value, String otherwise) {
    return value.isTextual() ? value.textValue() : wrong(name, "a string", value, otherwise);
  }

  /** A whole number within a range, or a default when it is not set. */
  public int integer(String name, int otherwise, int least, int most) {
    JsonNode value = optional(name);
    if (value == null) {
      return otherwise;
    }
    boolean fits = value.isInt() && value.intValue() >= least && value.intValue() <= most;
    return fits
        ? value.intValue()
        : wrong(name, "a whole number from " + least + " to " + most, value, otherwise);
  }

  /** A boolean, or a default when it is not set. */
  public boolean flag(String name, boolean otherwise) {
    JsonNode value = optional(name);
    return value == null
        ? otherwise
        : value.isBoolean() ? value.booleanValue() : wrong(name, "true or false", value, otherwise);
  }

  /** A duration in ISO 8601, such as {@code PT0.5S}, or a default when it is not set. */
  public Duration duration(String name, Duration otherwise, Duration most) {
    JsonNode value = optional(name);
    if (value == null) {
      return otherwise;
    }
    String expected = "a time above 0 and of at most " + most + " such as PT0.5S";
    try {
      Duration time = Duration.parse(value.asText());
      boolean fits = !time.isNegative() && !time.isZero() && time.compareTo(most) <= 0;
      return fits ? time : wrong(name, expected, value, otherwise);
    } catch (DateTimeParseException e) {
      return wrong(name, expected, value, otherwise);
    }
  }

  /** One of the constants of an enum, written in lower case with hyphens. */
  public <E extends Enum<E>> E choice(String name, E otherwise) {
    JsonNode value = optional(name);
    if (value == null) {
      return otherwise;
    }
    E[] constants = otherwise.getDeclaringClass().getEnumConstants();
    for (E each : constants) {
      if (word(each).equals(value.asText())) {
        return each;
      }
    }
    List<String> words = Arrays.stream(constants).map(Settings::word).toList();
    problem(
        name,
        "expected one of "
            + String.join(", ", words)
            + ", found "
            + shown(value)
            + suggestion(value.asText(), words));
    return otherwise;
  }

  /** The texts of an array; none when it is not set. */
  public List<String> texts(String name) {
    JsonNode value = optional(name);
    return value == null ? List.of() : items(name, value, "a string", JsonNode::textValue);
  }

  /** The slots of an array of texts; none when it is not set. */
  public List<Slot> slots(String name) {
    JsonNode value = optional(name);
    return value == null ? List.of() : items(name, value, "a slot such as body:/order", this::slot);
  }

  private @Nullable Slot slot(JsonNode value) {
    try {
      return value.isTextual() ? Slot.parse(value.textValue()) : null;
    } catch (IllegalArgumentException e) {
      return null; // reported with its place by the caller
    }
  }

  private <T> List<T> items(
      String name, JsonNode array, String expected, Function<JsonNode, @Nullable T> read) {
    if (!array.isArray()) {
      return wrong(name, "an array", array, List.of());
    }
    List<T> items = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      T item = read.apply(array.get(i));
      if (item == null) {
        problem(name, i, "expected " + expected + ", found " + shown(array.get(i)));
      } else {
        items.add(item);
      }
    }
    return items;
  }

  /** The texts of an object by name; none when it is not set. */
  public SortedMap<String, String> textsByName(String name) {
    SortedMap<String, String> texts = new TreeMap<>();
    JsonNode value = optional(name);
    if (value != null && value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        if (member.getValue().isTextual()) {
          texts.put(member.getKey(), member.getValue().textValue());
        } else {
          problem(
              name + "/" + member.getKey(), "expected a string, found " + shown(member.getValue()));
        }
      }
    } else if (value != null) {
      problem(name, "expected an object, found " + shown(value));
    }
    return texts;
  }

  /** Any JSON value, or null when it is not set. */
  public @Nullable Payload value(String name) {
    JsonNode value = optional(name);
    return value == null ? null : Payload.of(value);
  }

  /** Settings inside these; empty when they are not set. */
  public Settings group(String name) {
    JsonNode value = optional(name);
    return inside(value == null ? Payload.EMPTY_OBJECT.json() : value, at(name));
  }

  /** Settings of each item of an array; none when it is not set. */
  public List<Settings> groups(String name) {
    JsonNode value = optional(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      return wrong(name, "an array", value, List.of());
    }
    List<Settings> groups = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      groups.add(inside(value.get(i), at(name) + "/" + i));
    }
    return groups;
  }

  private Settings inside(JsonNode value, String place) {
    Settings settings = new Settings(value, place, problems);
    inner.add(settings);
    return settings;
  }

  /** Whether something is set. */
  public boolean has(String name) {
    return optional(name) != null;
  }

  /** The names that are set, in the order of the document. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    members.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The place of these settings, as JSON pointer. */
  public String pointer() {
    return pointer;
  }

  /** Reports another problem of a setting. */
  public void problem(@Nullable String name, String message) {
    problems.add(new SettingProblem(name == null ? pointer : at(name), message));
  }

  private void problem(String name, int item, String message) {
    problems.add(new SettingProblem(at(name) + "/" + item, message));
  }

  /** All problems found so far, also inside, in the order in which they were found. */
  public List<SettingProblem> problems() {
    return List.copyOf(problems);
  }

  /** Makes a problem of every setting, also inside, that was not read. */
  public void refuseUnknown() {
    for (String name : names()) {
      if (!asked.contains(name)) {
        problem(
            name,
            "expected a known setting, found \""
                + name
                + "\"; "
                + (asked.isEmpty() ? "there are none here" : SpellingSuggestion.hint(name, asked)));
      }
    }
    inner.forEach(Settings::refuseUnknown);
  }

  private @Nullable JsonNode optional(String name) {
    asked.add(name);
    JsonNode value = members.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private @Nullable JsonNode required(String name, String expected) {
    JsonNode value = optional(name);
    if (value == null && members.isObject()) {
      problem(null, "expected the setting \"" + name + "\", " + expected + ", found none");
    }
    return value;
  }

  private <T> T wrong(String name, String expected, JsonNode found, T otherwise) {
    problem(name, "expected " + expected + ", found " + shown(found));
    return otherwise;
  }

  private String at(String name) {
    return pointer + JsonPointer.of(List.of(name));
  }

  private static String suggestion(String word, List<String> known) {
    String nearest = SpellingSuggestion.of(word, known);
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }
}

package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The members of an object whose keys are fixed. A wrong member is reported and replaced by a value
 * with which reading continues.
 */
final class Fields {
  private final Part owner;
  private final String what;
  private final List<String> keys;
  private final Problems problems;

  /**
   * Opens an object, and reports unknown keys.
   *
   * @param what description of the object, for messages
   * @param keys the keys it may have
   */
  Fields(Part owner, String what, List<String> keys, Problems problems) {
    this.owner = owner;
    this.what = what;
    this.keys = keys;
    this.problems = problems;
    if (!owner.node().isObject()) {
      problems.expected("an object as " + what, owner);
    }
    owner
        .node()
        .fieldNames()
        .forEachRemaining(
            key -> {
              if (!keys.contains(key)) {
                problems.unknown(
                    "one of " + String.join(", ", keys) + " in " + what,
                    owner.member(key),
                    key,
                    keys);
              }
            });
  }

  Part get(String key) {
    return owner.member(key);
  }

  boolean has(String key) {
    return get(key).isThere();
  }

  /** A mandatory member; its absence is reported, unless an earlier report explains it. */
  Part required(String key) {
    Part part = get(key);
    if (!part.isThere() && owner.node().isObject() && !isMisspelt(key)) {
      problems.add(owner, "expected \"" + key + "\" in " + what + ", found none");
    }
    return part;
  }

  private boolean isMisspelt(String key) {
    List<String> names = new ArrayList<>();
    owner.node().fieldNames().forEachRemaining(names::add);
    return names.stream().anyMatch(it -> !keys.contains(it) && key.equals(Nearest.to(it, keys)));
  }

  /** A mandatory text; empty when it is absent. */
  String text(String key) {
    Part part = required(key);
    if (part.isThere() && !(part.node().isTextual() && !part.node().asText().isEmpty())) {
      problems.expected("a string that is not empty as " + key, part);
    }
    return part.node().asText();
  }

  /** A mandatory number. */
  double number(String key, Span span) {
    Part part = required(key);
    return part.isThere() ? number(part, key, span) : span.high();
  }

  /** A number, if it is present. */
  OptionalDouble optional(String key, Span span) {
    return has(key) ? OptionalDouble.of(number(get(key), key, span)) : OptionalDouble.empty();
  }

  /** A number, or a default when it is absent. */
  double number(String key, Span span, double otherwise) {
    return optional(key, span).orElse(otherwise);
  }

  /** A number, or a default when it is absent or null. */
  double bound(String key, Span span, double otherwise) {
    return get(key).node().isNull() ? otherwise : number(key, span, otherwise);
  }

  private double number(Part part, String key, Span span) {
    JsonNode node = part.node();
    if (!node.isNumber() || !span.contains(node.asDouble())) {
      problems.expected(span.expected(node.asDouble()) + " as " + key, part);
      return span.high();
    }
    return node.asDouble();
  }

  /** A whole number of at least 1, or a default when it is absent. */
  int count(String key, int otherwise) {
    Part part = get(key);
    if (!part.isThere()) {
      return otherwise;
    }
    boolean whole = part.node().canConvertToExactIntegral() && part.node().canConvertToInt();
    if (!whole || part.node().asInt() < 1) {
      problems.expected("a whole number of at least 1 as " + key, part);
      return otherwise;
    }
    return part.node().asInt();
  }

  /** The items of a mandatory array. */
  List<Part> items(String key) {
    return items(key, required(key));
  }

  /** The items of a mandatory array, which must not be empty. */
  List<Part> someItems(String key) {
    Part part = required(key);
    if (part.node().isArray() && part.node().isEmpty()) {
      problems.add(part, "expected at least one of " + key + ", found none");
    }
    return items(key, part);
  }

  /** The items of an array; none when it is absent. */
  List<Part> optionalItems(String key) {
    return items(key, get(key));
  }

  private List<Part> items(String key, Part part) {
    if (part.isThere() && !part.node().isArray()) {
      problems.expected("an array as " + key, part);
    }
    List<Part> items = new ArrayList<>();
    for (int i = 0; i < (part.node().isArray() ? part.node().size() : 0); i++) {
      items.add(part.item(i));
    }
    return items;
  }

  /** The numbers of an array. */
  List<Double> numbers(String key, Span span) {
    return items(key).stream().map(item -> number(item, key, span)).toList();
  }

  /** One of some words, or a default when it is absent. */
  <T> T word(String key, Map<String, T> words, T otherwise) {
    return has(key) ? word(get(key), words, otherwise) : otherwise;
  }

  /** One of some words. */
  <T> T word(Part part, Map<String, T> words, T otherwise) {
    T value = part.node().isTextual() ? words.get(part.node().asText()) : null;
    if (value != null) {
      return value;
    }
    Collection<String> known = words.keySet().stream().sorted().toList();
    String expected = "one of " + String.join(", ", known);
    if (part.node().isTextual()) {
      problems.unknown(expected, part, part.node().asText(), known);
    } else {
      problems.expected(expected, part);
    }
    return otherwise;
  }
}

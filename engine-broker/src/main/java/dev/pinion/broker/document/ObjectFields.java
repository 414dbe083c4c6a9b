package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The members of an object whose keys are fixed. A wrong member is reported and replaced by a value
 * with which reading continues.
 */
final class ObjectFields {
  private final LocatedValue owner;
  private final String what;
  private final List<String> keys;
  private final DocumentDiagnostics documentDiagnostics;

  /**
   * Opens an object, and reports unknown keys.
   *
   * @param what description of the object, for messages
   * @param keys the keys it may have
   */
  ObjectFields(
      LocatedValue owner, String what, List<String> keys, DocumentDiagnostics documentDiagnostics) {
    this.owner = owner;
    this.what = what;
    this.keys = keys;
    this.documentDiagnostics = documentDiagnostics;
    if (!owner.node().isObject()) {
      documentDiagnostics.expected("an object as " + what, owner);
    }
    owner
        .node()
        .fieldNames()
        .forEachRemaining(
            key -> {
              if (!keys.contains(key)) {
                documentDiagnostics.unknown(
                    "one of " + String.join(", ", keys) + " in " + what,
                    owner.member(key),
                    key,
                    keys);
              }
            });
  }

  LocatedValue get(String key) {
    return owner.member(key);
  }

  boolean has(String key) {
    return get(key).isPresent();
  }

  /** A mandatory member; its absence is reported, unless an earlier report explains it. */
  LocatedValue required(String key) {
    LocatedValue locatedValue = get(key);
    if (!locatedValue.isPresent() && owner.node().isObject() && !isMisspelt(key)) {
      documentDiagnostics.add(owner, "expected \"" + key + "\" in " + what + ", found none");
    }
    return locatedValue;
  }

  private boolean isMisspelt(String key) {
    List<String> names = new ArrayList<>();
    owner.node().fieldNames().forEachRemaining(names::add);
    return names.stream()
        .anyMatch(it -> !keys.contains(it) && key.equals(SpellingSuggestion.of(it, keys)));
  }

  /** A mandatory text; empty when it is absent. */
  String text(String key) {
    LocatedValue locatedValue = required(key);
    if (locatedValue.isPresent()
        && !(locatedValue.node().isTextual() && !locatedValue.node().asText().isEmpty())) {
      documentDiagnostics.expected("a string that is not empty as " + key, locatedValue);
    }
    return locatedValue.node().asText();
  }

  /** A mandatory number. */
  double number(String key, NumberRange numberRange) {
    LocatedValue locatedValue = required(key);
    return locatedValue.isPresent() ? number(locatedValue, key, numberRange) : numberRange.high();
  }

  /** A number, if it is present. */
  OptionalDouble optional(String key, NumberRange numberRange) {
    return has(key)
        ? OptionalDouble.of(number(get(key), key, numberRange))
        : OptionalDouble.empty();
  }

  /** A number, or a default when it is absent. */
  double number(String key, NumberRange numberRange, double otherwise) {
    return optional(key, numberRange).orElse(otherwise);
  }

  /** A number, or a default when it is absent or null. */
  double bound(String key, NumberRange numberRange, double otherwise) {
    return get(key).node().isNull() ? otherwise : number(key, numberRange, otherwise);
  }

  private double number(LocatedValue locatedValue, String key, NumberRange numberRange) {
    JsonNode node = locatedValue.node();
    if (!node.isNumber() || !numberRange.contains(node.asDouble())) {
      documentDiagnostics.expected(
          numberRange.expected(node.asDouble()) + " as " + key, locatedValue);
      return numberRange.high();
    }
    return node.asDouble();
  }

  /** A whole number of at least 1, or a default when it is absent. */
  int count(String key, int otherwise) {
    LocatedValue locatedValue = get(key);
    if (!locatedValue.isPresent()) {
      return otherwise;
    }
    boolean whole =
        locatedValue.node().canConvertToExactIntegral() && locatedValue.node().canConvertToInt();
    if (!whole || locatedValue.node().asInt() < 1) {
      documentDiagnostics.expected("a whole number of at least 1 as " + key, locatedValue);
      return otherwise;
    }
    return locatedValue.node().asInt();
  }

  /** The items of a mandatory array. */
  List<LocatedValue> items(String key) {
    return items(key, required(key));
  }

  /** The items of a mandatory array, which must not be empty. */
  List<LocatedValue> someItems(String key) {
    LocatedValue locatedValue = required(key);
    if (locatedValue.node().isArray() && locatedValue.node().isEmpty()) {
      documentDiagnostics.add(locatedValue, "expected at least one of " + key + ", found none");
    }
    return items(key, locatedValue);
  }

  /** The items of an array; none when it is absent. */
  List<LocatedValue> optionalItems(String key) {
    return items(key, get(key));
  }

  private List<LocatedValue> items(String key, LocatedValue locatedValue) {
    if (locatedValue.isPresent() && !locatedValue.node().isArray()) {
      documentDiagnostics.expected("an array as " + key, locatedValue);
    }
    List<LocatedValue> items = new ArrayList<>();
    for (int i = 0; i < (locatedValue.node().isArray() ? locatedValue.node().size() : 0); i++) {
      items.add(locatedValue.item(i));
    }
    return items;
  }

  /** The numbers of an array. */
  List<Double> numbers(String key, NumberRange numberRange) {
    return items(key).stream().map(item -> number(item, key, numberRange)).toList();
  }

  /** One of some words, or a default when it is absent. */
  <T> T word(String key, Map<String, T> words, T otherwise) {
    return has(key) ? word(get(key), words, otherwise) : otherwise;
  }

  /** One of some words. */
  <T> T word(LocatedValue locatedValue, Map<String, T> words, T otherwise) {
    T value = locatedValue.node().isTextual() ? words.get(locatedValue.node().asText()) : null;
    if (value != null) {
      return value;
    }
    Collection<String> known = words.keySet().stream().sorted().toList();
    String expected = "one of " + String.join(", ", known);
    if (locatedValue.node().isTextual()) {
      documentDiagnostics.unknown(expected, locatedValue, locatedValue.node().asText(), known);
    } else {
      documentDiagnostics.expected(expected, locatedValue);
    }
    return otherwise;
  }
}

package dev.pinion.core.request;

import dev.pinion.core.model.Nearest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. Each name occurs at most once; a plus sign is a plus sign (RFC
 * 3986), not a space.
 */
final class Query {
  /** No parameters. */
  static final Query NONE = new Query(List.of());

  private final List<Parameter> parameters;

  private record Parameter(String name, String value) {}

  private Query(List<Parameter> parameters) {
    this.parameters = parameters;
  }

  /**
   * Reads the part after the question mark.
   *
   * @param known the names that the route accepts
   */
  static Query parse(@Nullable String text, List<String> known) throws Refusal {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    List<Parameter> parameters = new ArrayList<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = PercentCoding.decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : PercentCoding.decode(pair.substring(equals + 1));
      check(name, known, parameters);
      checkText(name, value);
      parameters.add(new Parameter(name, value));
    }
    return new Query(parameters);
  }

  private static void check(String name, List<String> known, List<Parameter> before)
      throws Refusal {
    if (!known.contains(name)) {
      String hint = known.isEmpty() ? "this route takes none" : hint(name, known);
      throw refusal("a query parameter of this route", Problem.quoted(name) + "; " + hint);
    }
    if (before.stream().anyMatch(parameter -> parameter.name().equals(name))) {
      throw refusal("each query parameter once", Problem.quoted(name) + " again");
    }
  }

  /**
   * Refuses control characters: names, keys and labels have none, and some databases reject them.
   */
  private static void checkText(String name, String value) throws Refusal {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw refusal(name + " without control characters", Problem.quoted(value));
    }
  }

  private static String hint(String name, List<String> known) {
    return name.length() > 40 ? "known are " + String.join(", ", known) : Nearest.hint(name, known);
  }

  /** The value of a parameter, or null when it is absent. */
  @Nullable String get(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        return parameter.value();
      }
    }
    return null;
  }

  /** A parameter that is one of some words, or null when it is absent. */
  @Nullable String oneOf(String name, List<String> words) throws Refusal {
    String value = get(name);
    if (value != null && !words.contains(value)) {
      throw refusal(name + " to be one of " + String.join(", ", words), Problem.quoted(value));
    }
    return value;
  }

  /** A whole number within bounds, or a default when it is absent. */
  int number(String name, int least, int most, int absent) throws Refusal {
    String value = get(name);
    if (value == null) {
      return absent;
    }
    if (value.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw refusal(name + " from " + least + " to " + most, Problem.quoted(value));
  }

  private static Refusal refusal(String expected, String found) {
    return new Refusal(ProblemType.BAD_PARAMETER, "expected " + expected + ", found " + found);
  }
}

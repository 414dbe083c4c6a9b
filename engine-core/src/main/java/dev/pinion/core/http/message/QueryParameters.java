package dev.pinion.core.http.message;

import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. Each name occurs at most once; a plus sign is a plus sign (RFC
 * 3986), not a space.
 */
public final class QueryParameters {
  /** No parameters. */
  public static final QueryParameters NONE = new QueryParameters(List.of());

  private final List<QueryParameter> parameters;

  private record QueryParameter(String name, String value) {}

  private QueryParameters(List<QueryParameter> parameters) {
    this.parameters = parameters;
  }

  /**
   * Reads the part after the question mark.
   *
   * @param known the names that the route accepts
   */
  public static QueryParameters parse(@Nullable String text, List<String> known)
      throws ProblemException {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    List<QueryParameter> parameters = new ArrayList<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = PercentEncoding.decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : PercentEncoding.decode(pair.substring(equals + 1));
      check(name, known, parameters);
      checkText(name, value);
      parameters.add(new QueryParameter(name, value));
    }
    return new QueryParameters(parameters);
  }

  private static void check(String name, List<String> known, List<QueryParameter> before)
      throws ProblemException {
    if (!known.contains(name)) {
      String hint = known.isEmpty() ? "this route takes none" : hint(name, known);
      throw refusal("a query parameter of this route", Problem.quoted(name) + "; " + hint);
    }
    if (before.stream().anyMatch(queryParameter -> queryParameter.name().equals(name))) {
      throw refusal("each query parameter once", Problem.quoted(name) + " again");
    }
  }

  /**
   * Refuses control characters: names, keys and labels have none, and some databases reject them.
   */
  private static void checkText(String name, String value) throws ProblemException {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw refusal(name + " without control characters", Problem.quoted(value));
    }
  }

  private static String hint(String name, List<String> known) {
    return name.length() > 40
        ? "known are " + String.join(", ", known)
        : SpellingSuggestion.hint(name, known);
  }

  /** The value of a parameter, or null when it is absent. */
  public @Nullable String get(String name) {
    for (QueryParameter queryParameter : parameters) {
      if (queryParameter.name().equals(name)) {
        return queryParameter.value();
      }
    }
    return null;
  }

  /** A parameter that is one of some words, or null when it is absent. */
  public @Nullable String oneOf(String name, List<String> words) throws ProblemException {
    String value = get(name);
    if (value != null && !words.contains(value)) {
      throw refusal(name + " to be one of " + String.join(", ", words), Problem.quoted(value));
    }
    return value;
  }

  /** A whole number within bounds, or a default when it is absent. */
  public int number(String name, int least, int most, int absent) throws ProblemException {
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

  private static ProblemException refusal(String expected, String found) {
    return new ProblemException(
        ProblemType.BAD_PARAMETER, "expected " + expected + ", found " + found);
  }
}

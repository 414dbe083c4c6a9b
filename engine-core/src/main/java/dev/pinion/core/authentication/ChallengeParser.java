package dev.pinion.core.authentication;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parses header fields with challenges, such as WWW-Authenticate (RFC 9110, section 11.6.1). Ends
 * at the first thing that is no challenge.
 */
final class ChallengeParser {
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private final String text;
  private int at;

  private ChallengeParser(String text) {
    this.text = text;
  }

  /**
   * A challenge.
   *
   * @param scheme in lower case
   * @param parameters values by name in lower case
   */
  record Challenge(String scheme, Map<String, String> parameters) {}

  /** The challenges of a header field, in order. */
  static List<Challenge> challenges(String field) {
    return new ChallengeParser(field).all();
  }

  /** The parameters of a header field without a scheme, such as Authentication-Info. */
  static Map<String, String> parameters(String field) {
    ChallengeParser parser = new ChallengeParser(field);
    Map<String, String> parameters = new TreeMap<>();
    parser.readParameters(parameters);
    return parameters;
  }

  private List<Challenge> all() {
    List<Challenge> challenges = new ArrayList<>();
    skipSeparators();
    for (String scheme = token(); !scheme.isEmpty(); scheme = token()) {
      Map<String, String> parameters = new TreeMap<>();
      skipSpaces();
      skipData();
      readParameters(parameters);
      challenges.add(new Challenge(scheme.toLowerCase(Locale.ROOT), parameters));
      skipSeparators();
    }
    return challenges;
  }

  /** Skips what stands instead of parameters, such as the data of Negotiate ({@code token68}). */
  private void skipData() {
    int end = at;
    while (end < text.length() && (isTokenPart(text.charAt(end)) || text.charAt(end) == '/')) {
      end++;
    }
    while (end < text.length() && text.charAt(end) == '=') {
      end++;
    }
    int next = end;
    while (next < text.length() && " \t".indexOf(text.charAt(next)) >= 0) {
      next++;
    }
    if (next == text.length() || text.charAt(next) == ',') {
      at = end;
    }
  }

  /** Reads parameters up to the next scheme. */
  private void readParameters(Map<String, String> parameters) {
    while (true) {
      skipSeparators();
      int start = at;
      String name = token();
      skipSpaces();
      if (name.isEmpty() || at >= text.length() || text.charAt(at) != '=') {
        at = start;
        return;
      }
      at++;
      skipSpaces();
      String value = value();
      if (value == null) {
        at = text.length();
        return;
      }
      parameters.put(name.toLowerCase(Locale.ROOT), value);
    }
  }

  private @Nullable String value() {
    if (at < text.length() && text.charAt(at) == '"') {
      return quoted();
    }
    return token();
  }

  private @Nullable String quoted() {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return value.toString();
      }
      if (c == '\\' && at + 1 < text.length()) {
        at++;
      }
      value.append(text.charAt(at));
    }
    return null;
  }

  private String token() {
    int start = at;
    while (at < text.length() && isTokenPart(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean isTokenPart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || TOKEN_MARKS.indexOf(c) >= 0;
  }

  private void skipSpaces() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private void skipSeparators() {
    while (at < text.length() && " \t,".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }
}

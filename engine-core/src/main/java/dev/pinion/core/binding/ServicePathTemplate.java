package dev.pinion.core.binding;

import java.util.ArrayList;
import java.util.List;

/**
 * Path of an abstract service's operations at a concrete one: a template such as {@code
 * /v2/flights/{2}?{query}}. Variables are {@code {1}} to {@code {9}}, the segments of the abstract
 * path, {@code {path}}, all of it without its first slash, and {@code {query}}. Inserted text stays
 * percent-encoded. Immutable; any thread.
 */
public final class ServicePathTemplate {
  /** Most characters of a template. */
  public static final int MAX_CHARS = 1_024;

  private static final int PATH = 0;
  private static final int QUERY = -1;

  private final String template;

  /**
   * Texts, one more than variables; each except the last stands before the variable of its index.
   */
  private final List<String> texts = new ArrayList<>();

  private final List<Integer> variables = new ArrayList<>();

  /**
   * A template.
   *
   * @throws IllegalArgumentException when it does not begin with a slash, is too long, or names an
   *     unknown variable
   */
  public ServicePathTemplate(String template) {
    if (!template.startsWith("/") || template.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "expected a path of at most "
              + MAX_CHARS
              + " characters that begins with a slash, found "
              + (template.length() > MAX_CHARS
                  ? template.length() + " characters"
                  : '"' + template + '"'));
    }
    this.template = template;
    parse();
  }

  private void parse() {
    int from = 0;
    int open = template.indexOf('{');
    while (open >= 0) {
      int close = template.indexOf('}', open);
      texts.add(literal(template.substring(from, open)));
      variables.add(variable(close < 0 ? "" : template.substring(open + 1, close)));
      from = close + 1;
      open = template.indexOf('{', from);
    }
    texts.add(literal(template.substring(from)));
  }

  private String literal(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c > '~' || "\"#<>\\^`|}".indexOf(c) >= 0) {
        throw new IllegalArgumentException(
            "expected characters of a path or query in \"" + template + "\", found '" + c + "'");
      }
    }
    return text;
  }

  private int variable(String name) {
    if (name.equals("path")) {
      return PATH;
    }
    if (name.equals("query")) {
      return QUERY;
    }
    if (name.length() == 1 && name.charAt(0) >= '1' && name.charAt(0) <= '9') {
      return name.charAt(0) - '0';
    }
    throw new IllegalArgumentException(
        "expected {path}, {query} or {1} to {9} in \"" + template + "\", found {" + name + "}");
  }

  /**
   * Path and query at the concrete service.
   *
   * @param rest path and query of the abstract service; a missing segment is empty
   */
  String expand(String rest) {
    int end = Math.max(0, rest.indexOf('#') < 0 ? rest.length() : rest.indexOf('#'));
    int mark = rest.indexOf('?');
    int pathEnd = mark < 0 || mark > end ? end : mark;
    String path = rest.substring(rest.startsWith("/") ? 1 : 0, pathEnd);
    String query = pathEnd < end ? rest.substring(pathEnd + 1, end) : "";
    String[] segments = path.split("/", -1);
    StringBuilder expanded = new StringBuilder(texts.getFirst());
    for (int i = 0; i < variables.size(); i++) {
      int variable = variables.get(i);
      switch (variable) {
        case PATH -> expanded.append(path);
        case QUERY -> expanded.append(query);
        default -> expanded.append(variable <= segments.length ? segments[variable - 1] : "");
      }
      expanded.append(texts.get(i + 1));
    }
    return expanded.toString();
  }

  @Override
  public String toString() {
    return template;
  }
}

package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A URI with variables in braces: simple string expansion of RFC 6570 (level 1), where a variable
 * is a member of the input, taken verbatim (DSL reference, "URI Template"), else a variable of an
 * enclosing loop or catch. Immutable.
 *
 * <p>A variable that is missing, null, an array or an object is an error of type expression: unlike
 * in RFC 6570, which expands undefined variables to nothing, {@code /pets/{id}} never becomes
 * {@code /pets/}.
 */
public final class UriTemplate implements Expression<String> {
  private static final String ILLEGAL = "\"'<>\\^`|} ";

  /** Literal texts, percent-encoded: one more than names. */
  private final List<String> texts;

  private final List<String> names;

  /** Variables of enclosing loops and catches. */
  private final Set<String> variables;

  private UriTemplate(List<String> texts, List<String> names, Set<String> variables) {
    this.texts = List.copyOf(texts);
    this.names = List.copyOf(names);
    this.variables = Set.copyOf(variables);
  }

  /**
   * Compiles a template.
   *
   * @param variables names of the variables of enclosing loops and catches
   * @return null if and only if a problem was reported
   */
  public static @Nullable UriTemplate compile(
      String source, Set<String> variables, Consumer<ExpressionProblem> problems) {
    List<String> texts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean valid = true;
    int from = 0;
    for (int open; (open = source.indexOf('{', from)) >= 0; ) {
      valid &= checkLiteral(source, from, open, problems);
      texts.add(UriSyntax.encodeIllegal(source.substring(from, open)));
      int close = source.indexOf('}', open);
      if (close < 0) {
        problems.accept(
            new ExpressionProblem(open, "expected \"}\" after \"{\", found none", null));
        return null;
      }
      String name = source.substring(open + 1, close);
      valid &= checkName(name, open + 1, problems);
      names.add(name);
      from = close + 1;
    }
    valid &= checkLiteral(source, from, source.length(), problems);
    texts.add(UriSyntax.encodeIllegal(source.substring(from)));
    return valid ? new UriTemplate(texts, names, variables) : null;
  }

  /** RFC 6570, section 2.1; allows an apostrophe, as its erratum 6937 does. */
  private static boolean checkLiteral(
      String source, int from, int to, Consumer<ExpressionProblem> problems) {
    for (int i = from; i < to; i++) {
      char c = source.charAt(i);
      boolean percent =
          c == '%'
              && !(i + 2 < to
                  && Character.digit(source.charAt(i + 1), 16) >= 0
                  && Character.digit(source.charAt(i + 2), 16) >= 0);
      if (c < 0x20 || c == 0x7f || percent || (c != '\'' && ILLEGAL.indexOf(c) >= 0)) {
        String found = c < 0x20 || c == 0x7f ? "a control character" : "\"" + c + "\"";
        problems.accept(
            new ExpressionProblem(
                i, "expected a character that may stand in a URI, found " + found, null));
        return false;
      }
    }
    return true;
  }

  private static boolean checkName(String name, int offset, Consumer<ExpressionProblem> problems) {
    String message = null;
    if (name.isEmpty()) {
      message = "expected the name of a member of the input, found \"{}\"";
    } else if ("+#./;?&=,!@|".indexOf(name.charAt(0)) >= 0) {
      message =
          "expected simple string expansion such as {name}, found the operator \""
              + name.charAt(0)
              + "\", which the DSL does not have";
    } else if (name.indexOf(',') >= 0 || name.indexOf(':') >= 0 || name.indexOf('*') >= 0) {
      message =
          "expected one name without modifiers, found \"{" + name + "}\"; write one {name} each";
    } else if (!isName(name)) {
      message =
          "expected a name of letters, digits, \"_\", \".\" and \"-\", found \"" + name + "\"";
    }
    if (message != null) {
      problems.accept(new ExpressionProblem(offset, message, null));
    }
    return message == null;
  }

  /** RFC 6570, section 2.3, and hyphens, which names of JSON members often have. */
  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean dot = c == '.' && i > 0 && i < name.length() - 1 && name.charAt(i - 1) != '.';
      boolean triplet =
          c == '%'
              && i + 2 < name.length()
              && Character.digit(name.charAt(i + 1), 16) >= 0
              && Character.digit(name.charAt(i + 2), 16) >= 0;
      if (!UriSyntax.isAlphanumeric(c) && c != '_' && c != '-' && !dot && !triplet) {
        return false;
      }
    }
    return true;
  }

  /**
   * Scheme and authority, such as {@code http://host:8080/}, when no variable can change them.
   *
   * @return null when they contain a variable or one follows them directly
   */
  public @Nullable String origin() {
    String literal = texts.getFirst();
    int authority = literal.indexOf("://") + 3;
    for (int i = authority; i < literal.length(); i++) {
      if ("/?#".indexOf(literal.charAt(i)) >= 0) {
        return literal.substring(0, i) + "/";
      }
    }
    return isConstant() ? literal + "/" : null;
  }

  /** Names of the variables, in the order of the text. */
  public List<String> names() {
    return names;
  }

  /** Whether the template has no variables. */
  public boolean isConstant() {
    return names.isEmpty();
  }

  /** The URI reference, percent-encoded. */
  @Override
  public String evaluate(Payload input, Scope scope, Budget budget) {
    if (names.isEmpty()) {
      budget.charge(1);
      return texts.getFirst();
    }
    StringBuilder uri = new StringBuilder(texts.getFirst());
    String suspect = null;
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String text = text(name, value(name, input, scope));
      budget.charge(2 + text.length() / 4);
      suspect = suspect == null && isDots(text) ? name : suspect;
      int literal = uri.append(UriSyntax.encode(text)).length();
      uri.append(texts.get(i + 1));
      if (suspect != null && (i + 1 == names.size() || endOfSegment(uri, literal) < uri.length())) {
        checkSegment(suspect, uri, endOfSegment(uri, literal));
        suspect = null;
      }
    }
    return uri.toString();
  }

  private static boolean isDots(String text) {
    return text.isEmpty() || text.equals(".") || text.equals("..");
  }

  private static int endOfSegment(StringBuilder uri, int from) {
    int end = from;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  /**
   * A segment of the path that is empty, or climbs (RFC 3986 section 5.2.4), would be another call.
   */
  private static void checkSegment(String name, StringBuilder uri, int end) {
    int start = uri.lastIndexOf("/", end - 1) + 1;
    int query = uri.indexOf("?");
    boolean inPath = start > uri.indexOf("://") + 3 && (query < 0 || query >= end);
    String segment = uri.substring(start, end);
    if (inPath && isDots(segment)) {
      throw new ExpressionException(
          "expected a value for {"
              + name
              + "} of the endpoint that makes a segment of its path, found \""
              + segment
              + "\"");
    }
  }

  private JsonNode value(String name, Payload input, Scope scope) {
    JsonNode member = input.json().get(name);
    Payload variable = member == null && variables.contains(name) ? scope.variable(name) : null;
    JsonNode value = variable == null ? member : variable.json();
    if (value == null || value.isNull()) {
      throw new ExpressionException(
          "expected a value for {"
              + name
              + "} of the endpoint, found "
              + (value == null
                  ? "none in the task's input and among the variables of loops and catches"
                  : "null"));
    }
    return value;
  }

  private static String text(String name, JsonNode value) {
    if (value.isContainerNode()) {
      throw new ExpressionException(
          "expected a string, number or boolean for {"
              + name
              + "} of the endpoint, found "
              + JqValues.describe(value));
    }
    return value.isNumber() ? JsonPrinter.number(value) : value.asText();
  }
}

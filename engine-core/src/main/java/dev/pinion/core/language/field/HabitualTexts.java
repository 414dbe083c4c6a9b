package dev.pinion.core.language.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.template.ExpressionText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds texts that look as if they held expressions and are sent as they are. */
public final class HabitualTexts {
  // each looks at a character once, and takes no stack for it: texts may be long
  private static final Pattern MOUSTACHES = Pattern.compile("\\{\\{([^{}]++)}}");
  private static final Pattern INTERPOLATION = Pattern.compile("\\$\\{([^{}]++)}");
  private static final Pattern IN_CODE = Pattern.compile("\\$\\{\\s*+\\.[A-Za-z_\"\\[]");
  private static final Pattern NAMES_ONLY = Pattern.compile("(?:[^{}$]++|\\{[A-Za-z0-9_]++})*+");
  private static final Pattern PATH =
      Pattern.compile("\\.?[A-Za-z_][A-Za-z0-9_]*+(?:\\.[A-Za-z_][A-Za-z0-9_]*+)*+");

  /** Longest text for which another one is suggested. */
  private static final int MAX_SUGGESTED = 1_000;

  private final Diagnostics diagnostics;

  HabitualTexts(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Warns of such texts in a value. */
  void check(DocumentValue value) {
    if (isSuspect(value.json())) {
      warn(value);
    }
  }

  /**
   * Warns of an expression inside the code of a program. Other braces are of the code: shells and
   * JavaScript have the same ones. No text is suggested, as a value does not belong into code.
   */
  void checkCode(DocumentValue code) {
    String text = code.text();
    if (ExpressionText.of(text) == null && IN_CODE.matcher(text).find()) {
      diagnostics.warn(
          code,
          "expected ${ … } around the whole text, found it inside "
              + ValueDescription.describe(code.json())
              + ", which stays as it is; pass the value as one of \"arguments\"",
          () -> null);
    }
  }

  /** The problem of a text, or null when there is none. */
  public static @Nullable String problem(String text) {
    boolean braces = text.contains("{{") || text.contains("${");
    if (!braces || ExpressionText.of(text) != null) {
      return null;
    }
    if (MOUSTACHES.matcher(text).find()) {
      return "expected ${ … } around an expression, found {{ … }} in "
          + ValueDescription.describe(TextNode.valueOf(text));
    }
    if (INTERPOLATION.matcher(text).find()) {
      return "expected ${ … } around the whole text, found it inside "
          + ValueDescription.describe(TextNode.valueOf(text));
    }
    return null;
  }

  /** The expression that a text probably means, or null. */
  static @Nullable String suggestion(String text) {
    if (text.length() > MAX_SUGGESTED) {
      return null;
    }
    Pattern habit = MOUSTACHES.matcher(text).find() ? MOUSTACHES : INTERPOLATION;
    Matcher matcher = habit.matcher(text);
    StringBuilder built = new StringBuilder();
    int from = 0;
    while (matcher.find()) {
      String inside = expression(matcher.group(1).strip());
      if (matcher.start() == 0 && matcher.end() == text.length()) {
        return "${ " + inside + " }";
      }
      built.append(escaped(text.substring(from, matcher.start())));
      built.append("\\(").append(inside).append(')');
      from = matcher.end();
    }
    return "${ \"" + built.append(escaped(text.substring(from))) + "\" }";
  }

  /** The endpoint that a text probably means, or null. */
  public static @Nullable String ofEndpoint(String text) {
    if (text.length() > MAX_SUGGESTED) {
      return null;
    }
    String template =
        MOUSTACHES
            .matcher(text)
            .replaceAll(found -> Matcher.quoteReplacement("{" + found.group(1).strip() + "}"));
    return NAMES_ONLY.matcher(template).matches() ? template : suggestion(text);
  }

  /** A name of a template is a member of the input. */
  private static String expression(String inside) {
    boolean name = PATH.matcher(inside).matches() && !inside.startsWith(".");
    return name ? "." + inside : inside;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static boolean isSuspect(JsonNode json) {
    if (json.isTextual()) {
      return problem(json.textValue()) != null;
    }
    for (JsonNode each : json) {
      if (isSuspect(each)) {
        return true;
      }
    }
    return false;
  }

  private void warn(DocumentValue value) {
    if (value.isText()) {
      String text = value.text();
      String problem = problem(text);
      if (problem != null) {
        diagnostics.warn(value, problem + ", which stays as it is", () -> suggestion(text));
      }
    }
    value.members().forEach(this::warn);
    value.items().forEach(this::warn);
  }
}

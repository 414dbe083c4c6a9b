package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.jq.value.Split;
import dev.pinion.core.jq.value.StringFormats;
import java.util.ArrayList;
import java.util.List;

/** Functions of strings. */
final class StringBuiltins {
  private static final int REPLACEMENT = 0xfffd;

  private StringBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.value(
        "tostring",
        (in, evaluationContext) ->
            in.isTextual() ? in : TextNode.valueOf(JsonPrinter.of(in, evaluationContext)));
    registry.value("format", StringBuiltins::format);
    registry.value("utf8bytelength", StringBuiltins::utf8Length);
    registry.value(
        "split", (in, separator, evaluationContext) -> splitBy(in, separator, evaluationContext));
    registry.filter("join", 1, a -> new NativeCallCode.Apply1(StringBuiltins::join, a[0]));
    registry.value(
        "startswith",
        (in, s, evaluationContext) -> JqValues.bool(starts(in, s, evaluationContext)));
    registry.value(
        "endswith", (in, s, evaluationContext) -> JqValues.bool(ends(in, s, evaluationContext)));
    registry.value(
        "ltrimstr", (in, s, evaluationContext) -> trimmed(in, s, true, false, evaluationContext));
    registry.value(
        "rtrimstr", (in, s, evaluationContext) -> trimmed(in, s, false, true, evaluationContext));
    registry.value(
        "trimstr", (in, s, evaluationContext) -> trimmed(in, s, true, true, evaluationContext));
    registry.value("trim", (in, evaluationContext) -> strip(in, true, true, evaluationContext));
    registry.value("ltrim", (in, evaluationContext) -> strip(in, true, false, evaluationContext));
    registry.value("rtrim", (in, evaluationContext) -> strip(in, false, true, evaluationContext));
    registry.value(
        "ascii_downcase",
        (in, evaluationContext) -> mapCase(in, 'A', 'Z', 'a' - 'A', evaluationContext));
    registry.value(
        "ascii_upcase",
        (in, evaluationContext) -> mapCase(in, 'a', 'z', 'A' - 'a', evaluationContext));
    registry.value("explode", StringBuiltins::explode);
    registry.value("implode", StringBuiltins::implode);
    registry.value("_strindices", StringBuiltins::strindices);
  }

  private static JsonNode format(JsonNode in, JsonNode name, EvaluationContext evaluationContext) {
    StringFormats.Format format = StringFormats.find(JqValues.text(name, "is not a valid format"));
    if (format == null) {
      throw new JqException(name.textValue() + " is not a valid format");
    }
    return evaluationContext.textNode(format.apply(in, evaluationContext));
  }

  private static JsonNode utf8Length(JsonNode in, EvaluationContext evaluationContext) {
    String text = JqValues.text(in, "only strings have UTF-8 byte length");
    evaluationContext.scanText(text.length());
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return JqValues.number(bytes);
  }

  private static JsonNode splitBy(
      JsonNode in, JsonNode separator, EvaluationContext evaluationContext) {
    if (!in.isTextual() || !separator.isTextual()) {
      throw new JqException("split input and separator must be strings");
    }
    return Split.split(in.textValue(), separator.textValue(), evaluationContext);
  }

  private static JsonNode join(
      JsonNode in, JsonNode separator, EvaluationContext evaluationContext) {
    if (!in.isContainerNode()) {
      throw PathCode.Iterate.cannotIterate(in);
    }
    if (in.isEmpty()) {
      return JqValues.EMPTY_TEXT;
    }
    StringBuilder text = new StringBuilder();
    boolean first = true;
    for (JsonNode item : in) {
      if (!first) {
        append(separator, text, evaluationContext);
      }
      first = false;
      append(
          item.isNumber() || item.isBoolean()
              ? TextNode.valueOf(JsonPrinter.of(item, evaluationContext))
              : item,
          text,
          evaluationContext);
    }
    return TextNode.valueOf(text.toString());
  }

  private static void append(
      JsonNode value, StringBuilder text, EvaluationContext evaluationContext) {
    evaluationContext.step();
    if (value.isNull()) {
      return;
    }
    if (!value.isTextual()) {
      JsonNode so = TextNode.valueOf(text.toString());
      throw new JqException(
          JqValues.describe(so) + " and " + JqValues.describe(value) + " cannot be added");
    }
    evaluationContext.text(value.textValue().length());
    evaluationContext.checkText((long) text.length() + value.textValue().length());
    text.append(value.textValue());
  }

  private static boolean starts(JsonNode in, JsonNode start, EvaluationContext evaluationContext) {
    if (!in.isTextual() || !start.isTextual()) {
      throw new JqException("startswith() requires string inputs");
    }
    evaluationContext.scanText(start.textValue().length());
    return in.textValue().startsWith(start.textValue());
  }

  private static boolean ends(JsonNode in, JsonNode end, EvaluationContext evaluationContext) {
    if (!in.isTextual() || !end.isTextual()) {
      throw new JqException("endswith() requires string inputs");
    }
    evaluationContext.scanText(end.textValue().length());
    return in.textValue().endsWith(end.textValue());
  }

  private static JsonNode trimmed(
      JsonNode in,
      JsonNode part,
      boolean left,
      boolean right,
      EvaluationContext evaluationContext) {
    JsonNode rest = in;
    if (left && starts(rest, part, evaluationContext)) {
      rest = evaluationContext.textNode(rest.textValue().substring(part.textValue().length()));
    }
    if (right && ends(rest, part, evaluationContext)) {
      String text = rest.textValue();
      rest =
          evaluationContext.textNode(text.substring(0, text.length() - part.textValue().length()));
    }
    return rest;
  }

  private static String string(JsonNode in, String function) {
    if (!in.isTextual()) {
      throw new JqException(function + " input must be a string");
    }
    return in.textValue();
  }

  private static JsonNode strip(
      JsonNode in, boolean left, boolean right, EvaluationContext evaluationContext) {
    String text = string(in, "trim");
    evaluationContext.text(text.length());
    int start = 0;
    int end = text.length();
    while (left && start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (right && end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return start == 0 && end == text.length() ? in : TextNode.valueOf(text.substring(start, end));
  }

  /** Unicode's White_Space property. */
  private static boolean isSpace(char c) {
    return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || Character.isSpaceChar(c);
  }

  private static JsonNode mapCase(
      JsonNode in, char first, char last, int shift, EvaluationContext evaluationContext) {
    String text = string(in, "explode");
    evaluationContext.text(text.length() * 2L);
    char[] chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      if (chars[i] >= first && chars[i] <= last) {
        chars[i] = (char) (chars[i] + shift);
      }
    }
    return TextNode.valueOf(new String(chars));
  }

  private static JsonNode explode(JsonNode in, EvaluationContext evaluationContext) {
    String text = string(in, "explode");
    evaluationContext.array(text.length() * 2L);
    List<JsonNode> points = new ArrayList<>(text.length());
    text.codePoints().forEach(point -> points.add(JqValues.number((long) point)));
    return JqValues.array(points);
  }

  private static JsonNode implode(JsonNode in, EvaluationContext evaluationContext) {
    if (!in.isArray()) {
      throw new JqException("implode input must be an array");
    }
    evaluationContext.text(in.size() * 2L);
    StringBuilder text = new StringBuilder(in.size());
    for (JsonNode point : in) {
      if (!point.isNumber() || Double.isNaN(point.doubleValue())) {
        throw new JqException(
            JqValues.describe(point) + " can't be imploded, unicode codepoint needs to be numeric");
      }
      int code = (int) point.doubleValue();
      boolean valid = Character.isValidCodePoint(code) && (code < 0xd800 || code > 0xdfff);
      text.appendCodePoint(valid ? code : REPLACEMENT);
    }
    return TextNode.valueOf(text.toString());
  }

  private static JsonNode strindices(
      JsonNode in, JsonNode part, EvaluationContext evaluationContext) {
    String text = JqValues.text(in, "cannot be searched, as it is not a string");
    return indices(text, JqValues.text(part, "is not a string"), evaluationContext);
  }

  /** Positions, in code points, at which a text occurs inside another; overlaps included. */
  static JsonNode indices(String text, String part, EvaluationContext evaluationContext) {
    if (part.isEmpty()) {
      return JqValues.EMPTY_ARRAY;
    }
    // The search may compare the whole part at every place.
    evaluationContext.scanText(text.length() * 4L);
    List<JsonNode> found = new ArrayList<>();
    int counted = 0;
    int points = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      points += text.codePointCount(counted, at);
      counted = at;
      evaluationContext.charge(3);
      evaluationContext.scanText(part.length());
      found.add(JqValues.number((long) points));
    }
    return JqValues.array(found);
  }
}

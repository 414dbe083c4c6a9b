package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** Functions of strings. */
final class Strings {
  private static final int REPLACEMENT = 0xfffd;

  private Strings() {}

  static void register(Builtins.Registry registry) {
    registry.value(
        "tostring", (in, run) -> in.isTextual() ? in : TextNode.valueOf(JsonText.of(in, run)));
    registry.value("format", Strings::format);
    registry.value("utf8bytelength", Strings::utf8Length);
    registry.value("split", (in, separator, run) -> splitBy(in, separator, run));
    registry.filter("join", 1, a -> new ApplyCode.Apply1(Strings::join, a[0]));
    registry.value("startswith", (in, s, run) -> Json.bool(starts(in, s, run)));
    registry.value("endswith", (in, s, run) -> Json.bool(ends(in, s, run)));
    registry.value("ltrimstr", (in, s, run) -> trimmed(in, s, true, false, run));
    registry.value("rtrimstr", (in, s, run) -> trimmed(in, s, false, true, run));
    registry.value("trimstr", (in, s, run) -> trimmed(in, s, true, true, run));
    registry.value("trim", (in, run) -> strip(in, true, true, run));
    registry.value("ltrim", (in, run) -> strip(in, true, false, run));
    registry.value("rtrim", (in, run) -> strip(in, false, true, run));
    registry.value(
        "ascii_downcase", (in, run) -> mapCase(in, 'A', 'Z', 'a' - 'A', "ascii_downcase", run));
    registry.value(
        "ascii_upcase", (in, run) -> mapCase(in, 'a', 'z', 'A' - 'a', "ascii_upcase", run));
    registry.value("explode", Strings::explode);
    registry.value("implode", Strings::implode);
    registry.value("_strindices", Strings::strindices);
  }

  private static JsonNode format(JsonNode in, JsonNode name, Run run) {
    Formats.Format format = Formats.find(Json.text(name, "is not a valid format"));
    if (format == null) {
      throw new JqError(name.textValue() + " is not a valid format");
    }
    return run.textNode(format.apply(in, run));
  }

  private static JsonNode utf8Length(JsonNode in, Run run) {
    String text = Json.text(in, "only strings have UTF-8 byte length");
    run.scanText(text.length());
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return Json.number(bytes);
  }

  private static JsonNode splitBy(JsonNode in, JsonNode separator, Run run) {
    if (!in.isTextual() || !separator.isTextual()) {
      throw new JqError("split input and separator must be strings");
    }
    return split(in.textValue(), separator.textValue(), run);
  }

  /** The pieces of a text between separators; its characters when the separator is empty. */
  static JsonNode split(String text, String separator, Run run) {
    run.scanText(text.length() * 4L);
    List<JsonNode> pieces = new ArrayList<>();
    if (separator.isEmpty()) {
      for (int i = 0; i < text.length(); ) {
        int end = text.offsetByCodePoints(i, 1);
        add(pieces, text.substring(i, end), run);
        i = end;
      }
      return Json.array(pieces);
    }
    if (text.isEmpty()) {
      return Json.EMPTY_ARRAY;
    }
    int from = 0;
    for (int at; (at = text.indexOf(separator, from)) >= 0; from = at + separator.length()) {
      add(pieces, text.substring(from, at), run);
    }
    add(pieces, text.substring(from), run);
    return Json.array(pieces);
  }

  private static void add(List<JsonNode> pieces, String piece, Run run) {
    run.charge(4);
    pieces.add(run.textNode(piece));
  }

  private static JsonNode join(JsonNode in, JsonNode separator, Run run) {
    if (!in.isContainerNode()) {
      throw AccessCode.Iterate.cannotIterate(in);
    }
    if (in.isEmpty()) {
      return Json.EMPTY_TEXT;
    }
    StringBuilder text = new StringBuilder();
    boolean first = true;
    for (JsonNode item : in) {
      if (!first) {
        append(separator, text, run);
      }
      first = false;
      append(
          item.isNumber() || item.isBoolean() ? TextNode.valueOf(JsonText.of(item, run)) : item,
          text,
          run);
    }
    return TextNode.valueOf(text.toString());
  }

  private static void append(JsonNode value, StringBuilder text, Run run) {
    run.step();
    if (value.isNull()) {
      return;
    }
    if (!value.isTextual()) {
      JsonNode so = TextNode.valueOf(text.toString());
      throw new JqError(Json.describe(so) + " and " + Json.describe(value) + " cannot be added");
    }
    run.text(value.textValue().length());
    run.checkText((long) text.length() + value.textValue().length());
    text.append(value.textValue());
  }

  private static boolean starts(JsonNode in, JsonNode start, Run run) {
    if (!in.isTextual() || !start.isTextual()) {
      throw new JqError("startswith() requires string inputs");
    }
    run.scanText(start.textValue().length());
    return in.textValue().startsWith(start.textValue());
  }

  private static boolean ends(JsonNode in, JsonNode end, Run run) {
    if (!in.isTextual() || !end.isTextual()) {
      throw new JqError("endswith() requires string inputs");
    }
    run.scanText(end.textValue().length());
    return in.textValue().endsWith(end.textValue());
  }

  private static JsonNode trimmed(
      JsonNode in, JsonNode part, boolean left, boolean right, Run run) {
    JsonNode rest = in;
    if (left && starts(rest, part, run)) {
      rest = run.textNode(rest.textValue().substring(part.textValue().length()));
    }
    if (right && ends(rest, part, run)) {
      String text = rest.textValue();
      rest = run.textNode(text.substring(0, text.length() - part.textValue().length()));
    }
    return rest;
  }

  private static JsonNode strip(JsonNode in, boolean left, boolean right, Run run) {
    if (!in.isTextual()) {
      throw new JqError("trim input must be a string");
    }
    String text = in.textValue();
    run.text(text.length());
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
      JsonNode in, char first, char last, int shift, String name, Run run) {
    if (!in.isTextual()) {
      throw new JqError(name + " input must be a string");
    }
    String text = in.textValue();
    run.text(text.length() * 2L);
    char[] chars = text.toCharArray();
    for (int i = 0; i < chars.length; i++) {
      if (chars[i] >= first && chars[i] <= last) {
        chars[i] = (char) (chars[i] + shift);
      }
    }
    return TextNode.valueOf(new String(chars));
  }

  private static JsonNode explode(JsonNode in, Run run) {
    String text = Json.text(in, "cannot be exploded");
    run.array(text.length() * 2L);
    List<JsonNode> points = new ArrayList<>(text.length());
    text.codePoints().forEach(point -> points.add(Json.number((long) point)));
    return Json.array(points);
  }

  private static JsonNode implode(JsonNode in, Run run) {
    if (!in.isArray()) {
      throw new JqError("implode input must be an array");
    }
    run.text(in.size() * 2L);
    StringBuilder text = new StringBuilder(in.size());
    for (JsonNode point : in) {
      if (!point.isNumber() || Double.isNaN(point.doubleValue())) {
        throw new JqError(
            Json.describe(point) + " can't be imploded, unicode codepoint needs to be numeric");
      }
      int code = (int) point.doubleValue();
      boolean valid = Character.isValidCodePoint(code) && (code < 0xd800 || code > 0xdfff);
      text.appendCodePoint(valid ? code : REPLACEMENT);
    }
    return TextNode.valueOf(text.toString());
  }

  private static JsonNode strindices(JsonNode in, JsonNode part, Run run) {
    String text = Json.text(in, "cannot be searched, as it is not a string");
    return indices(text, Json.text(part, "is not a string"), run);
  }

  /** Positions, in code points, at which a text occurs inside another; overlaps included. */
  static JsonNode indices(String text, String part, Run run) {
    if (part.isEmpty()) {
      return Json.NULL;
    }
    // The search may compare the whole part at every place.
    run.scanText(text.length() * 4L);
    List<JsonNode> found = new ArrayList<>();
    int counted = 0;
    int points = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      points += text.codePointCount(counted, at);
      counted = at;
      run.charge(3);
      run.scanText(part.length());
      found.add(Json.number((long) points));
    }
    return Json.array(found);
  }
}

package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.NumberText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from a string as jq does, for {@code fromjson}: with jq's notations of numbers, and
 * with jq's words for what is wrong and where. Values nest on a list, not on the stack.
 */
final class JsonTextReader {
  /** Most characters of a text that an error repeats. */
  private static final int MAX_SHOWN = 1_000;

  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final String text;
  private final EvaluationContext evaluationContext;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final int start;
  private int at;

  /** A value that nothing has taken up yet. */
  private @Nullable JsonNode next;

  private JsonTextReader(String text, EvaluationContext evaluationContext) {
    this.text = text;
    this.evaluationContext = evaluationContext;
    this.start = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
    this.at = start;
  }

  /** The only value in a text. */
  static JsonNode read(String text, EvaluationContext evaluationContext) {
    return new JsonTextReader(text, evaluationContext).whole();
  }

  /** An array or object that is not complete. */
  private static final class Level {
    final List<JsonNode> items = new ArrayList<>();
    final @Nullable Map<String, JsonNode> members;
    @Nullable String key;

    Level(boolean object) {
      this.members = object ? JqValues.members(4) : null;
    }

    /** Adds a value; false where a key is missing. */
    boolean add(JsonNode value) {
      if (members == null) {
        return items.add(value);
      }
      if (key == null) {
        return false;
      }
      members.put(key, value);
      key = null;
      return true;
    }
  }

  private JsonNode whole() {
    JsonNode whole = null;
    while (at < text.length()) {
      part(text.charAt(at));
      if (levels.isEmpty() && next != null) {
        if (whole != null) {
          throw failure("Unexpected extra JSON values");
        }
        whole = next;
        next = null;
      }
    }
    if (!levels.isEmpty()) {
      throw failureAt("Unfinished JSON term", at);
    }
    if (whole == null) {
      throw failure("Expected JSON value");
    }
    return whole;
  }

  private void part(char c) {
    switch (c) {
      case ' ', '\t', '\r', '\n' -> at++;
      case '"' -> string();
      case '[', '{' -> open(c == '{');
      case ':' -> colon();
      case ',' -> comma();
      case ']' -> closeArray();
      case '}' -> closeObject();
      default -> literal();
    }
  }

  private void open(boolean object) {
    if (levels.size() >= evaluationContext.maxJsonDepth()) {
      throw new JqException(
          message("Exceeds depth limit for parsing", at), evaluationContext.depthLimit("JSON"));
    }
    require(next == null, "Expected separator between values");
    levels.push(new Level(object));
    at++;
  }

  private void colon() {
    if (next == null) {
      throw failureAt("Expected string key before ':'", at);
    }
    Level level = levels.peek();
    if (level == null || level.members == null || level.key != null) {
      throw failureAt("':' not as part of an object", at);
    }
    require(next.isTextual(), "Object keys must be strings");
    level.key = next.textValue();
    next = null;
    at++;
  }

  private void comma() {
    Level level = levels.peek();
    if (next == null || level == null) {
      throw failureAt("Expected value before ','", at);
    }
    require(level.add(next), "Objects must consist of key:value pairs");
    next = null;
    at++;
  }

  private void closeArray() {
    Level level = levels.peek();
    if (level == null || level.members != null) {
      throw failureAt("Unmatched ']'", at);
    }
    require(next != null || level.items.isEmpty(), "Expected another array element");
    if (next != null) {
      level.add(next);
    }
    close(JqValues.array(level.items));
  }

  private void closeObject() {
    Level level = levels.peek();
    if (level == null) {
      throw failureAt("Unmatched '}'", at);
    }
    if (next != null) {
      require(level.members != null && level.add(next), "Objects must consist of key:value pairs");
    } else {
      require(level.members != null && level.key == null, "Unmatched '}'");
      require(level.members == null || level.members.isEmpty(), "Expected another key-value pair");
    }
    close(JqValues.object(level.members == null ? Map.of() : level.members));
  }

  private void close(JsonNode value) {
    levels.pop();
    next = value;
    at++;
  }

  private void require(boolean fits, String otherwise) {
    if (!fits) {
      throw failureAt(otherwise, at);
    }
  }

  /** A word up to the next character that cannot be part of one. */
  private void literal() {
    int from = at;
    while (at < text.length() && " \t\r\n\"[]{},:".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    JsonNode value = word(text.substring(from, at));
    require(next == null, "Expected separator between values");
    next = value;
  }

  private JsonNode word(String word) {
    switch (word) {
      case "true" -> {
        return JqValues.TRUE;
      }
      case "false" -> {
        return JqValues.FALSE;
      }
      case "null" -> {
        return JqValues.NULL;
      }
      default -> {}
    }
    if (word.startsWith("t") || word.startsWith("f") || word.startsWith("nu")) {
      throw failureAt("Invalid literal", at);
    }
    if (word.startsWith("'")) {
      throw failureAt("Invalid string literal; expected \", but got '", at);
    }
    int most = evaluationContext.maxNumberChars();
    if (word.length() > most) {
      throw failureAt("Number of more than " + most + " characters (json.maxNumberDigits)", at);
    }
    JsonNode number = NumberText.parse(word);
    if (number == null) {
      throw failureAt("Invalid numeric literal", at);
    }
    return number;
  }

  private void string() {
    int from = ++at;
    boolean escapes = false;
    while (at < text.length() && text.charAt(at) != '"') {
      boolean escape = text.charAt(at) == '\\';
      escapes |= escape;
      at += escape ? 2 : 1;
    }
    if (at >= text.length()) {
      at = text.length();
      throw failureAt("Unfinished string", at);
    }
    String raw = text.substring(from, at);
    String value = escapes ? new JsonStringEscapes(raw, this::failureHere).resolved() : plain(raw);
    require(next == null, "Expected separator between values");
    next = TextNode.valueOf(value);
    at++;
  }

  private String plain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) < ' ') {
        throw failureAt(JsonStringEscapes.CONTROL_CHARACTER, at);
      }
    }
    return raw;
  }

  private JqException failureHere(String problem) {
    return failureAt(problem, at);
  }

  private JqException failureAt(String problem, int position) {
    return new JqException(message(problem, position));
  }

  private JqException failure(String problem) {
    String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    return new JqException(problem + " (while parsing '" + shown + "')");
  }

  /** A problem with its line, and its column in bytes of UTF-8. */
  private String message(String problem, int position) {
    int line = 1;
    int column = 0;
    for (int i = start; i <= position && i < text.length(); i++) {
      char c = text.charAt(i);
      column += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      if (c == '\n') {
        line++;
        column = 0;
      }
    }
    String end = position < text.length() ? "" : " at EOF";
    return failure(problem + end + " at line " + line + ", column " + column).value().textValue();
  }
}

package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** jq's string formats, {@code @text} to {@code @urid}. */
public final class StringFormats {
  /** The text that {@code tostring} makes of a value. */
  public static final Format TEXT = StringFormats::text;

  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final String UNRESERVED = "-_.~";

  private static final Map<String, Format> BY_NAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("text", TEXT),
              Map.entry("json", JsonPrinter::of),
              Map.entry(
                  "csv", (value, evaluationContext) -> row(value, ",", "csv", evaluationContext)),
              Map.entry(
                  "tsv", (value, evaluationContext) -> row(value, "\t", "tsv", evaluationContext)),
              Map.entry("html", StringFormats::html),
              Map.entry(
                  "uri",
                  (value, evaluationContext) ->
                      percentEncode(text(value, evaluationContext), evaluationContext)),
              Map.entry("urid", StringFormats::percentDecode),
              Map.entry("sh", StringFormats::shell),
              Map.entry("base64", StringFormats::base64),
              Map.entry("base64d", StringFormats::base64Decode),
              Map.entry("base32", StringFormats::base32),
              Map.entry("base32d", StringFormats::base32Decode)));

  private StringFormats() {}

  /** Turns a value into text; charged. */
  @FunctionalInterface
  public interface Format {
    String apply(JsonNode value, EvaluationContext evaluationContext);
  }

  public static @Nullable Format find(String name) {
    return BY_NAME.get(name);
  }

  public static Set<String> names() {
    return BY_NAME.keySet();
  }

  static String text(JsonNode value, EvaluationContext evaluationContext) {
    if (value.isTextual()) {
      return value.textValue();
    }
    evaluationContext.step();
    return JsonPrinter.of(value, evaluationContext);
  }

  private static String row(
      JsonNode value, String separator, String name, EvaluationContext evaluationContext) {
    if (!value.isArray()) {
      throw new JqException(
          JqValues.describe(value) + " cannot be " + name + "-formatted, only array");
    }
    StringBuilder row = new StringBuilder();
    String before = "";
    for (JsonNode cell : value) {
      if (cell.isContainerNode()) {
        throw new JqException(JqValues.describe(cell) + " is not valid in a " + name + " row");
      }
      row.append(before);
      before = separator;
      if (cell.isTextual()) {
        cell(cell.textValue(), name.equals("csv"), row, evaluationContext);
      } else if (!cell.isNull() && !(cell.isDouble() && Double.isNaN(cell.doubleValue()))) {
        row.append(text(cell, evaluationContext));
      }
      evaluationContext.checkText(row.length());
    }
    return row.toString();
  }

  private static void cell(
      String text, boolean csv, StringBuilder row, EvaluationContext evaluationContext) {
    evaluationContext.charge(text.length());
    if (csv) {
      row.append('"').append(text.replace("\"", "\"\"")).append('"');
    } else {
      row.append(
          text.replace("\\", "\\\\")
              .replace("\t", "\\t")
              .replace("\n", "\\n")
              .replace("\r", "\\r"));
    }
  }

  private static String html(JsonNode value, EvaluationContext evaluationContext) {
    String text = text(value, evaluationContext);
    evaluationContext.text(text.length() * 2L);
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '\'' -> out.append("&apos;");
        case '"' -> out.append("&quot;");
        default -> out.append(c);
      }
    }
    evaluationContext.text(out.length());
    return out.toString();
  }

  /** Percent-encodes all but the unreserved characters of RFC 3986. */
  static String percentEncode(String text, EvaluationContext evaluationContext) {
    evaluationContext.text(text.length());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    evaluationContext.text(bytes.length);
    StringBuilder out = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
        out.append(c);
      } else {
        out.append('%').append(hex(c >> 4)).append(hex(c & 15));
      }
    }
    evaluationContext.text(out.length());
    return out.toString();
  }

  private static char hex(int digit) {
    return Character.toUpperCase(Character.forDigit(digit, 16));
  }

  private static String percentDecode(JsonNode value, EvaluationContext evaluationContext) {
    String text = text(value, evaluationContext);
    evaluationContext.text(text.length() * 2L);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        out.write(bytes[i]);
        continue;
      }
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new JqException(JqValues.describe(value) + " is not a valid uri encoding");
      }
      out.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(out.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      evaluationContext.chargeFailure();
      throw new JqException(JqValues.describe(value) + " is not a valid uri encoding");
    }
  }

  private static String shell(JsonNode value, EvaluationContext evaluationContext) {
    if (!value.isArray()) {
      return quoted(value, evaluationContext);
    }
    StringBuilder out = new StringBuilder();
    for (JsonNode item : value) {
      out.append(out.isEmpty() ? "" : " ").append(quoted(item, evaluationContext));
      evaluationContext.checkText(out.length());
    }
    return out.toString();
  }

  private static String quoted(JsonNode value, EvaluationContext evaluationContext) {
    if (value.isContainerNode()) {
      throw new JqException(JqValues.describe(value) + " can not be escaped for shell");
    }
    if (!value.isTextual()) {
      return text(value, evaluationContext);
    }
    evaluationContext.charge(value.textValue().length() / 2);
    String text = "'" + value.textValue().replace("'", "'\\''") + "'";
    evaluationContext.text(text.length());
    return text;
  }

  private static String base64(JsonNode value, EvaluationContext evaluationContext) {
    String text = text(value, evaluationContext);
    evaluationContext.text(text.length() * 3L);
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64Decode(JsonNode value, EvaluationContext evaluationContext) {
    return decode(value, BASE64, 6, "base64", evaluationContext);
  }

  private static String base32(JsonNode value, EvaluationContext evaluationContext) {
    String text = text(value, evaluationContext);
    evaluationContext.text(text.length() * 4L);
    StringBuilder out = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      buffer = buffer << 8 | (b & 0xff);
      for (bits += 8; bits >= 5; bits -= 5) {
        out.append(BASE32.charAt(buffer >> (bits - 5) & 31));
      }
      buffer &= (1 << bits) - 1;
    }
    if (bits > 0) {
      out.append(BASE32.charAt(buffer << (5 - bits) & 31));
    }
    return out.repeat('=', (8 - out.length() % 8) % 8).toString();
  }

  private static String base32Decode(JsonNode value, EvaluationContext evaluationContext) {
    return decode(value, BASE32, 5, "base32", evaluationContext);
  }

  /** Decodes digits up to the first equals sign; bits that fill no byte are padding. */
  private static String decode(
      JsonNode value, String digits, int width, String name, EvaluationContext evaluationContext) {
    String text = text(value, evaluationContext);
    evaluationContext.text(text.length() * 2L);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int buffer = 0;
    int bits = 0;
    for (int i = 0; i < text.length() && text.charAt(i) != '='; i++) {
      int digit = digits.indexOf(text.charAt(i));
      if (digit < 0) {
        throw undecodable(text, " is not valid " + name + " data");
      }
      buffer = (buffer << width | digit) & 0x3fff;
      bits += width;
      if (bits >= Byte.SIZE) {
        bits -= Byte.SIZE;
        out.write(buffer >> bits);
      }
    }
    if (bits == width) {
      throw undecodable(text, " trailing " + name + " byte found");
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static JqException undecodable(String text, String problem) {
    return new JqException(JqValues.describe(TextNode.valueOf(text)) + problem);
  }
}

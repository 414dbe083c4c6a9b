package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** jq's string formats, {@code @text} to {@code @urid}. */
final class Formats {
  /** The text that {@code tostring} makes of a value. */
  static final Format TEXT = Formats::text;

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final String UNRESERVED = "-_.~";

  private static final Map<String, Format> BY_NAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("text", TEXT),
              Map.entry("json", JsonText::of),
              Map.entry("csv", (value, run) -> row(value, ",", "csv", run)),
              Map.entry("tsv", (value, run) -> row(value, "\t", "tsv", run)),
              Map.entry("html", Formats::html),
              Map.entry("uri", (value, run) -> percentEncode(text(value, run), run)),
              Map.entry("urid", Formats::percentDecode),
              Map.entry("sh", Formats::shell),
              Map.entry("base64", Formats::base64),
              Map.entry("base64d", Formats::base64Decode),
              Map.entry("base32", Formats::base32),
              Map.entry("base32d", Formats::base32Decode)));

  private Formats() {}

  /** Turns a value into text; charged. */
  @FunctionalInterface
  interface Format {
    String apply(JsonNode value, Run run);
  }

  static @Nullable Format find(String name) {
    return BY_NAME.get(name);
  }

  static Set<String> names() {
    return BY_NAME.keySet();
  }

  static String text(JsonNode value, Run run) {
    if (value.isTextual()) {
      return value.textValue();
    }
    run.step();
    return JsonText.of(value, run);
  }

  private static String row(JsonNode value, String separator, String name, Run run) {
    if (!value.isArray()) {
      throw new JqError(
          Json.describe(value) + " cannot be " + name + "-formatted, only an array can be");
    }
    StringBuilder row = new StringBuilder();
    String before = "";
    for (JsonNode cell : value) {
      if (cell.isContainerNode()) {
        throw new JqError(Json.describe(cell) + " is not valid in a " + name + " row");
      }
      row.append(before);
      before = separator;
      if (cell.isTextual()) {
        cell(cell.textValue(), name.equals("csv"), row, run);
      } else if (!cell.isNull()) {
        row.append(text(cell, run));
      }
      run.checkText(row.length());
    }
    return row.toString();
  }

  private static void cell(String text, boolean csv, StringBuilder row, Run run) {
    run.charge(text.length());
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

  private static String html(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 2L);
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '\'' -> out.append("&#39;");
        case '"' -> out.append("&quot;");
        default -> out.append(c);
      }
    }
    run.text(out.length());
    return out.toString();
  }

  /** Percent-encodes all but the unreserved characters of RFC 3986. */
  static String percentEncode(String text, Run run) {
    run.text(text.length());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    run.text(bytes.length);
    StringBuilder out = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      char c = (char) (b & 0xff);
      if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
        out.append(c);
      } else {
        out.append('%').append(hex(c >> 4)).append(hex(c & 15));
      }
    }
    run.text(out.length());
    return out.toString();
  }

  private static char hex(int digit) {
    return Character.toUpperCase(Character.forDigit(digit, 16));
  }

  private static String percentDecode(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 2L);
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
        throw new JqError(Json.describe(value) + " is not a valid uri encoding");
      }
      out.write(high << 4 | low);
      i += 2;
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String shell(JsonNode value, Run run) {
    if (!value.isArray()) {
      return quoted(value, run);
    }
    StringBuilder out = new StringBuilder();
    for (JsonNode item : value) {
      out.append(out.isEmpty() ? "" : " ").append(quoted(item, run));
      run.checkText(out.length());
    }
    return out.toString();
  }

  private static String quoted(JsonNode value, Run run) {
    if (value.isContainerNode()) {
      throw new JqError(Json.describe(value) + " can not be escaped for shell");
    }
    if (!value.isTextual()) {
      return text(value, run);
    }
    run.charge(value.textValue().length() / 2);
    String text = "'" + value.textValue().replace("'", "'\\''") + "'";
    run.text(text.length());
    return text;
  }

  private static String base64(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 3L);
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64Decode(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 2L);
    String digits = text.replaceAll("=+$", "");
    try {
      byte[] bytes = Base64.getDecoder().decode(digits.getBytes(StandardCharsets.UTF_8));
      if (bytes.length == 0 && !text.isEmpty()) {
        throw new IllegalArgumentException("nothing decoded");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      run.failure();
      throw new JqError(Json.describe(value) + " is not valid base64 data");
    }
  }

  private static String base32(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 4L);
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

  private static String base32Decode(JsonNode value, Run run) {
    String text = text(value, run);
    run.text(text.length() * 2L);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int buffer = 0;
    int bits = 0;
    for (int i = 0; i < text.length() && text.charAt(i) != '='; i++) {
      int digit = BASE32.indexOf(text.charAt(i));
      if (digit < 0) {
        throw new JqError(Json.describe(value) + " is not valid base32 data");
      }
      buffer = (buffer << 5 | digit) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        out.write(buffer >> bits);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}

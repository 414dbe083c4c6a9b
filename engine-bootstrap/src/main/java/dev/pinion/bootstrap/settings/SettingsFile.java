package dev.pinion.bootstrap.settings;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Reads settings from a file: YAML (or JSON, which is YAML), or properties by its file name. Nested
 * members become names with dots.
 */
final class SettingsFile {
  /** Bytes of the largest file read. */
  static final long MAX_BYTES = 1 << 20;

  /** Characters of a wrong line that a message shows. */
  private static final int MAX_QUOTED = 60;

  private SettingsFile() {}

  static Map<String, String> read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("expected at most " + MAX_BYTES + " bytes, found " + Files.size(file));
    }
    String text = Files.readString(file);
    return file.toString().endsWith(".properties") ? properties(text) : yaml(text);
  }

  /** Reads lines {@code key=value}. */
  static Map<String, String> properties(String text) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = new StringReader(text)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException("expected properties, found: " + e.getMessage(), e);
    }
    Map<String, String> values = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, properties.getProperty(name)));
    return values;
  }

  /** Lines that {@link #properties} reads; every line ends, none is empty. */
  static String lines(Map<String, String> values) {
    StringBuilder lines = new StringBuilder();
    values.forEach(
        (name, value) -> lines.append(name).append('=').append(escaped(value)).append('\n'));
    return lines.toString();
  }

  private static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case ' ', '\t', '\f' -> text.append(text.isEmpty() ? "\\" : "").append(c);
        default -> text.append(c);
      }
    }
    return text.toString();
  }

  private static Map<String, String> yaml(String text) throws IOException {
    Map<String, String> values = new TreeMap<>();
    try {
      JsonNode root =
          new YAMLMapper()
              .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
              .readTree(text);
      if (root.isObject()) {
        flatten("", root, values);
      } else if (!root.isMissingNode() && !root.isNull()) {
        throw new IOException("expected a mapping of names to values, found " + root.getNodeType());
      }
    } catch (JsonProcessingException e) {
      throw new IOException(position(e, text), e);
    }
    return values;
  }

  /**
   * Position at which a text ceases to be YAML; the parser's own message helps only its authors.
   */
  private static String position(JsonProcessingException e, String text) {
    JsonLocation location = e.getLocation();
    if (location == null) {
      return "expected YAML, found something else";
    }
    List<String> lines = text.lines().toList();
    int number = location.getLineNr();
    String line = number >= 1 && number <= lines.size() ? lines.get(number - 1).strip() : "";
    return String.format(
        Locale.ROOT,
        "expected YAML at line %d, column %d, found %s",
        number,
        location.getColumnNr(),
        line.isEmpty()
            ? "the end"
            : "\"" + line.substring(0, Math.min(line.length(), MAX_QUOTED)) + "\"");
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> values) {
    node.properties()
        .forEach(
            member -> {
              String name = prefix + member.getKey();
              if (member.getValue().isObject()) {
                flatten(name + ".", member.getValue(), values);
              } else {
                values.put(name, member.getValue().asText());
              }
            });
  }
}

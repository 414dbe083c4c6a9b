package dev.pinion.handlers.builtin.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows by their keys: an immutable snapshot of reference data. Any thread. */
final class ReferenceTable {
  private static final ObjectReader CSV =
      CsvMapper.builder()
          .enable(CsvParser.Feature.FAIL_ON_MISSING_COLUMNS)
          .enable(CsvParser.Feature.FAIL_ON_MISSING_HEADER_COLUMNS)
          .build()
          .readerForMapOf(String.class)
          .with(CsvSchema.emptySchema().withHeader());

  private final Map<String, Payload> rows;

  /** File format of a table. */
  enum TableFormat {
    /** An array of objects, with the key in one member; or an object of rows by key. */
    JSON,
    /** RFC 4180 with a header line; every value is a string. */
    CSV
  }

  /**
   * Form of a table.
   *
   * @param key name of the member or column with the key
   * @param maxRows the most rows
   */
  record Form(TableFormat format, String key, int maxRows, PayloadCodec codec) {
    /**
     * A table.
     *
     * @throws IllegalArgumentException when the bytes are not a table; the message says what was
     *     expected and found
     */
    ReferenceTable read(byte[] bytes) throws IOException {
      return new ReferenceTable(format == TableFormat.CSV ? csv(bytes) : json(bytes));
    }

    private Map<String, Payload> json(byte[] bytes) {
      JsonNode root;
      try {
        root = codec.read(bytes, 0, bytes.length).json();
      } catch (PayloadSyntaxException e) {
        throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
      }
      Map<String, Payload> rows = new HashMap<>();
      if (root.isObject()) {
        for (Map.Entry<String, JsonNode> row : root.properties()) {
          add(rows, row.getKey(), row.getValue());
        }
      } else if (root.isArray()) {
        for (JsonNode row : root) {
          add(rows, keyOf(row, rows.size() + 1), row);
        }
      } else {
        throw new IllegalArgumentException(
            "expected an array of rows or an object of rows by key, found another value");
      }
      return rows;
    }

    private String keyOf(JsonNode row, int number) {
      String text = row.isObject() ? text(row.get(key)) : null;
      if (text == null) {
        throw new IllegalArgumentException(
            "expected a text or a number in the member \""
                + key
                + "\" of row "
                + number
                + ", found none");
      }
      return text;
    }

    private Map<String, Payload> csv(byte[] bytes) throws IOException {
      Map<String, Payload> rows = new HashMap<>();
      try (MappingIterator<Map<String, String>> lines = CSV.readValues(utf8(bytes))) {
        while (lines.hasNextValue()) {
          ObjectNode row = JsonNodeFactory.instance.objectNode();
          lines.nextValue().forEach(row::put);
          add(rows, keyOf(row, rows.size() + 1), row);
        }
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(
            "expected CSV with a header line, found something else: " + e.getOriginalMessage(), e);
      }
      return rows;
    }

    private static String utf8(byte[] bytes) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("expected text in UTF-8, found other bytes", e);
      }
    }

    private void add(Map<String, Payload> rows, String key, JsonNode row) {
      if (rows.put(key, Payload.of(row)) != null) {
        throw new IllegalArgumentException("expected each key once, found \"" + key + "\" again");
      }
      if (rows.size() > maxRows) {
        throw new IllegalArgumentException("expected at most " + maxRows + " rows, found more");
      }
    }
  }

  private ReferenceTable(Map<String, Payload> rows) {
    this.rows = rows;
  }

  /** The row of a key, or null. */
  @Nullable Payload row(String key) {
    return rows.get(key);
  }

  /** Number of rows. */
  int size() {
    return rows.size();
  }

  /** A value as a key: a text as it is, a number as written in JSON; null for anything else. */
  static @Nullable String text(@Nullable JsonNode value) {
    return value != null && (value.isTextual() || value.isNumber()) ? value.asText() : null;
  }
}

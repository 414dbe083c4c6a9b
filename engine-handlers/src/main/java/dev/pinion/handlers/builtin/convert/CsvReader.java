package dev.pinion.handlers.builtin.convert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.pinion.core.model.Payload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

/**
 * Makes an array of objects of CSV (RFC 4180) in UTF-8: one for each line, with a member for each
 * column. Quotes belong around whole fields; inside they are doubled.
 *
 * @param separator separator of fields
 * @param columns names of the columns; empty when the first line has them
 * @param scalars conversion of texts
 * @param maxRows the most lines, the first one with the names not counted
 */
record CsvReader(char separator, List<String> columns, ScalarTyping scalars, int maxRows) {
  /** The most columns. */
  static final int MAX_COLUMNS = 1_000;

  private static final CsvMapper MAPPER =
      CsvMapper.builder(
              CsvFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .build();

  CsvReader {
    columns = List.copyOf(columns);
  }

  /**
   * Reads a document.
   *
   * @throws ConversionException when it is malformed, or beyond a bound
   */
  Payload read(byte[] document) throws ConversionException {
    ObjectReader reader =
        MAPPER
            .readerFor(String[].class)
            .with(CsvSchema.emptySchema().withColumnSeparator(separator));
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    List<String> names = columns;
    try (InputStreamReader text = strict(document);
        MappingIterator<String[]> lines = reader.readValues(text)) {
      while (lines.hasNextValue()) {
        String[] fields = lines.nextValue();
        if (names.isEmpty()) {
          names = checked(fields);
        } else {
          rows.add(row(names, fields, rows.size() + 1));
        }
      }
      return Payload.of(rows);
    } catch (CharacterCodingException e) {
      throw new ConversionException("expected CSV in UTF-8, found other bytes");
    } catch (JsonProcessingException e) {
      throw new ConversionException(
          "expected CSV as RFC 4180 has it, found an error near row " + (rows.size() + 1));
    } catch (IOException e) {
      throw new ConversionException("expected CSV, found " + e.getMessage());
    }
  }

  private static InputStreamReader strict(byte[] document) {
    boolean marked =
        document.length >= 3
            && document[0] == (byte) 0xef
            && document[1] == (byte) 0xbb
            && document[2] == (byte) 0xbf;
    int from = marked ? 3 : 0; // the byte order mark of spreadsheets
    return new InputStreamReader(
        new ByteArrayInputStream(document, from, document.length - from),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  private static List<String> checked(String[] names) throws ConversionException {
    if (names.length > MAX_COLUMNS || new HashSet<>(List.of(names)).size() < names.length) {
      throw new ConversionException(
          "expected at most " + MAX_COLUMNS + " columns of different names, found else");
    }
    return List.of(names);
  }

  private ObjectNode row(List<String> names, String[] fields, int number)
      throws ConversionException {
    if (number > maxRows) {
      throw new ConversionException("expected at most " + maxRows + " rows, found more");
    }
    if (fields.length != names.size()) {
      throw new ConversionException(
          "expected " + names.size() + " fields in row " + number + ", found " + fields.length);
    }
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < fields.length; i++) {
      row.set(names.get(i), scalars.value(fields[i]));
    }
    return row;
  }
}

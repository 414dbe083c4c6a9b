package dev.pinion.benchmarks.experiments.dharch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The Format Converter of the paper's Fig. 10: converts rows of text to JSON. */
public final class ConversionWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-convert";

  private static final JsonFactory JSON = new JsonFactory();

  /** For the service loader. */
  public ConversionWorkFactory() {
    super(NAME, "Makes JSON of rows of text of the experiments.");
  }

  @Override
  Declaration declaration() {
    return Declaration.NOTHING.reading(new Slot.Bytes()).writing(new Slot.Bytes()).mandatory();
  }

  @Override
  BodyWork work(Settings settings) {
    return body -> Changes.NONE.body(Body.of(converted(body), Body.JSON));
  }

  private static byte[] converted(byte[] rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(3 * rows.length);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartArray();
      for (String row : new String(rows, StandardCharsets.UTF_8).split("\n", -1)) {
        String[] cells = row.split(",", -1);
        json.writeStartObject();
        json.writeStringField("sensor", cells[0]);
        for (int i = 1; i < cells.length; i++) {
          json.writeStringField("value" + i, cells[i]);
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return out.toByteArray();
  }
}

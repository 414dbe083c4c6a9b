package dev.pinion.handlers.builtin.convert;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.util.HashSet;
import java.util.List;

/** Converts CSV bodies to JSON. */
public final class CsvToJsonFactory implements HandlerFactory {
  /** For the service loader. */
  public CsvToJsonFactory() {}

  @Override
  public String name() {
    return "csv-to-json";
  }

  @Override
  public String summary() {
    return "Makes an array of JSON objects of bodies that are CSV.";
  }

  @Override
  public Handler create(Settings settings) {
    String separator = settings.text("separator", ",");
    if (separator.length() != 1 || "\"\r\n".contains(separator)) {
      settings.problem(
          "separator", "expected one character other than a quote, found \"" + separator + "\"");
      separator = ",";
    }
    List<String> columns = settings.texts("columns");
    if (columns.size() > CsvReader.MAX_COLUMNS || new HashSet<>(columns).size() < columns.size()) {
      settings.problem(
          "columns", "expected at most " + CsvReader.MAX_COLUMNS + " different names, found else");
    }
    return new CsvToJsonHandler(
        new CsvReader(
            separator.charAt(0),
            columns,
            settings.choice("types", ScalarTyping.TEXT),
            settings.integer("maxRows", 100_000, 1, 10_000_000)));
  }

  private record CsvToJsonHandler(CsvReader reader) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.bytes())
          .writing(Slot.body(""))
          .stopping()
          .mandatory();
    }

    @Override
    public Verdict handle(View message) {
      if (!ConvertibleTypes.isCsv(message.body().mediaType())) {
        return Verdict.UNCHANGED;
      }
      try {
        return Verdict.goOn(Changes.NONE.body(Body.of(reader.read(message.bytes()))));
      } catch (ConversionException e) {
        return HandlerProblem.INVALID.refuse(String.valueOf(e.getMessage()));
      }
    }
  }
}

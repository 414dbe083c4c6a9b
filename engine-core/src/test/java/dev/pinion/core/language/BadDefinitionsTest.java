package dev.pinion.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A table of definitions that are refused, with all their problems. */
class BadDefinitionsTest {
  private static final String TABLE = "bad-definitions.txt";

  /**
   * A row of the table: title, definition, then one line per expected problem.
   *
   * @param name title
   */
  record Row(String name, String definition, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> table() throws IOException {
    try (InputStream table = BadDefinitionsTest.class.getResourceAsStream(TABLE)) {
      String text =
          new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8);
      List<Row> rows = new ArrayList<>();
      for (String row : ("\n" + text).split("\n=== ", -1)) {
        if (!row.isBlank()) {
          int title = row.indexOf('\n');
          int end = row.indexOf("\n>>>\n");
          rows.add(
              new Row(
                  row.substring(0, title),
                  row.substring(title + 1, end + 1),
                  row.substring(end + 5).strip()));
        }
      }
      return rows.stream();
    }
  }

  private static List<Diagnostic> problems(String definition) {
    CompilationResult compilationResult =
        new WorkflowCompiler(EngineLimits.defaults()).compile(definition, DocumentReader.YAML);
    return assertInstanceOf(CompilationResult.Rejected.class, compilationResult, definition)
        .problems();
  }

  @ParameterizedTest
  @MethodSource("table")
  void shouldTellEveryProblemWithItsPlace(Row row) {
    String found =
        problems(row.definition).stream()
            .map(Diagnostic::toString)
            .collect(Collectors.joining("\n"));

    assertEquals(row.expected, found, row.definition);
  }

  @Test
  void shouldHaveManyRows() throws IOException {
    assertTrue(table().count() >= 60);
  }
}

package dev.pinion.bootstrap.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The table of the specification's examples: for each the input, the answers of its partners, the
 * events that it hears, and its result. A row is a scenario whose first step names the file.
 */
final class ExampleTable {
  private static final String FILE = "examples.feature";
  private static final String EXAMPLE = "the example ";

  private ExampleTable() {}

  static List<Scenario> rows() throws IOException, FeatureSyntaxException {
    try (InputStream in = ExampleTable.class.getResourceAsStream(FILE)) {
      byte[] bytes = Objects.requireNonNull(in, FILE).readAllBytes();
      return FeatureParser.parse(FILE, new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /** Name of the file of a row's example. */
  static String example(Scenario row) {
    String first = row.steps().getFirst().text();
    if (!first.startsWith(EXAMPLE)) {
      throw new AssertionError(
          row.source() + ": expected \"" + EXAMPLE + "FILE\" as first step, found " + first);
    }
    return first.substring(EXAMPLE.length());
  }

  /**
   * A row with the text of its example.
   *
   * @param folder folder of the examples
   * @param resolved gives a text the addresses of partners
   */
  static Scenario filled(Scenario row, Path folder, UnaryOperator<String> resolved)
      throws IOException {
    String example = example(row);
    String definition = resolved.apply(Files.readString(folder.resolve(example)));
    List<ScenarioStep> steps =
        row.steps().stream()
            .map(
                step ->
                    step.text().startsWith(EXAMPLE)
                        ? new ScenarioStep("a workflow with definition:", definition)
                        : new ScenarioStep(step.text(), resolved.apply(step.argument())))
            .toList();
    String name = example + ": " + row.name();
    return new Scenario(row.feature(), name, row.section(), row.source(), row.tags(), steps);
  }
}

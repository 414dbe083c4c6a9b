package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page about conformance names every sentence, and its numbers are those of the suite. */
class ConformanceDocumentTest {
  private static final Pattern SENTENCE = Pattern.compile("\\| `([^`]*)` \\|.*");
  private static final Pattern TAG = Pattern.compile("\\| `(@\\w+)` \\| (\\d+) \\|.*");

  private List<String> lines;

  @BeforeEach
  void read() throws Exception {
    String root = System.getProperty("pinion.root", "");
    assumeFalse(root.isEmpty(), "pinion.root is not set: no document is read");
    lines = Files.readAllLines(Path.of(root, "docs", "conformance.md"));
  }

  @Test
  void shouldNameEverySentence() {
    int begin = lines.indexOf("## Write scenarios");
    List<String> documented =
        lines.subList(begin, lines.size()).stream()
            .map(SENTENCE::matcher)
            .filter(each -> each.matches())
            .map(each -> each.group(1))
            .toList();

    assertEquals(
        Stream.concat(StepCatalog.OF_THE_KIT.stream(), StepCatalog.ADDED.stream())
            .map(StepDefinition::sentence)
            .toList(),
        documented);
  }

  @Test
  void shouldHaveTheNumbersOfTheSuite() throws Exception {
    List<Scenario> suite = FeatureLibrary.ownSuite();
    long lacking = suite.stream().filter(each -> !each.missingFeatures().isEmpty()).count();
    long deviating = suite.stream().filter(Scenario::isDeviation).count();
    long passing = suite.size() - lacking - deviating;

    String row =
        "| own suite | %s | %s | %s | %s |".formatted(suite.size(), passing, lacking, deviating);
    assertTrue(lines.contains(row), "expected the line " + row);
  }

  @Test
  void shouldCountTheScenariosOfEachMissingFeature() throws Exception {
    Map<String, Integer> expected = new TreeMap<>();
    for (Scenario scenario : FeatureLibrary.ownSuite()) {
      scenario.missingFeatures().forEach(tag -> expected.merge(tag, 1, Integer::sum));
    }
    Map<String, Integer> documented = new TreeMap<>();
    List<String> order = new ArrayList<>();
    lines.stream()
        .map(TAG::matcher)
        .filter(each -> each.matches())
        .forEach(
            each -> {
              documented.put(each.group(1), Integer.valueOf(each.group(2)));
              order.add(each.group(1));
            });

    assertEquals(expected, documented);
    assertEquals(order.stream().sorted().toList(), order);
  }
}

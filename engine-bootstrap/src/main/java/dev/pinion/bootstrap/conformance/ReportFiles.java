package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A report as a page in Markdown and as JSON. */
public final class ReportFiles {
  /** Name of the page. */
  public static final String PAGE = "conformance.md";

  /** Name of the file with JSON. */
  public static final String JSON = "conformance.json";

  private final ConformanceReport report;
  private final String version;

  /**
   * The files of a report.
   *
   * @param version version of the engine
   */
  public ReportFiles(ConformanceReport report, String version) {
    this.report = report;
    this.version = version;
  }

  /** Writes both files. */
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(PAGE), page());
    Files.writeString(
        folder.resolve(JSON),
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n");
  }

  /** The page. */
  String page() {
    StringBuilder page = new StringBuilder("# Conformance\n\n");
    page.append("Pinion ").append(version).append(", Open Workflow DSL 1.0.3. ");
    page.append(report.summary()).append(".\n\n");
    page.append("| section | scenarios |");
    StringBuilder rule = new StringBuilder("|---|---|");
    for (ScenarioOutcome outcome : ScenarioOutcome.values()) {
      page.append(' ').append(outcome.label()).append(" |");
      rule.append("---|");
    }
    page.append('\n').append(rule).append('\n');
    report.bySection().forEach((section, each) -> row(page, section, each));
    row(page, "all", report);
    for (ScenarioOutcome outcome : ScenarioOutcome.values()) {
      if (outcome != ScenarioOutcome.PASSED) {
        list(page, outcome);
      }
    }
    return page.toString();
  }

  private static void row(StringBuilder page, String section, ConformanceReport part) {
    page.append("| ").append(cell(section)).append(" | ").append(part.results().size());
    for (ScenarioOutcome outcome : ScenarioOutcome.values()) {
      page.append(" | ").append(part.count(outcome));
    }
    page.append(" |\n");
  }

  private void list(StringBuilder page, ScenarioOutcome outcome) {
    List<ScenarioResult> results = report.with(outcome);
    if (results.isEmpty()) {
      return;
    }
    page.append("\n## ").append(outcome.label()).append("\n\n");
    page.append("| scenario | where | tags | reason |\n|---|---|---|---|\n");
    for (ScenarioResult result : results) {
      Scenario scenario = result.scenario();
      page.append("| ").append(cell(scenario.name()));
      page.append(" | ").append(cell(scenario.source()));
      page.append(" | ").append(cell(String.join(" ", scenario.tags())));
      page.append(" | ").append(cell(result.message())).append(" |\n");
    }
  }

  /** A text in a cell of a table: one line, in which a bar separates nothing. */
  private static String cell(String text) {
    return text.replaceAll("\\s+", " ").replace("|", "\\|");
  }

  /** The report for machines. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("engine", "Pinion").put("version", version).put("dsl", "1.0.3");
    json.put("conforming", report.isConforming());
    json.put("millis", report.taken().toMillis());
    json.set("totals", counts(report));
    ArrayNode sections = json.putArray("sections");
    report
        .bySection()
        .forEach(
            (section, each) -> sections.addObject().put("section", section).setAll(counts(each)));
    ArrayNode results = json.putArray("results");
    report.results().forEach(each -> results.add(json(each)));
    return json;
  }

  private static ObjectNode counts(ConformanceReport part) {
    ObjectNode counts = JsonNodeFactory.instance.objectNode();
    counts.put("scenarios", part.results().size());
    for (ScenarioOutcome outcome : ScenarioOutcome.values()) {
      counts.put(outcome.label(), part.count(outcome));
    }
    return counts;
  }

  private static ObjectNode json(ScenarioResult result) {
    Scenario scenario = result.scenario();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("feature", scenario.feature()).put("scenario", scenario.name());
    json.put("section", scenario.section()).put("source", scenario.source());
    ArrayNode tags = json.putArray("tags");
    scenario.tags().forEach(tags::add);
    json.put("outcome", result.outcome().label());
    json.put("millis", result.taken().toMillis());
    if (!result.message().isEmpty()) {
      json.put("message", result.message());
    }
    return json;
  }
}

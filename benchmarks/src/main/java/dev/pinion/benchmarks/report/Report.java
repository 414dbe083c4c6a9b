package dev.pinion.benchmarks.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;

/**
 * Complete report of a run: environment, measurements, findings.
 *
 * @param subject the experiment
 * @param caveats reasons why numbers of this machine or this run say less than they could
 * @param environment machine and software
 * @param results results by comparison
 * @param findings named ratios
 * @param figures plots of the results
 */
public record Report(
    ReportSubject subject,
    List<String> caveats,
    EnvironmentReport environment,
    List<ComparisonResults> results,
    List<Finding> findings,
    List<Figure> figures) {
  /** Copies the lists. */
  public Report {
    caveats = List.copyOf(caveats);
    results = List.copyOf(results);
    findings = List.copyOf(findings);
    figures = List.copyOf(figures);
  }

  /** The report for people. */
  public String text() {
    StringBuilder text = new StringBuilder(subject.name());
    text.append(": ").append(subject.question()).append("\n\n");
    text.append(environment.text());
    if (!caveats.isEmpty()) {
      text.append('\n');
    }
    caveats.forEach(caveat -> text.append("note: ").append(caveat).append('\n'));
    results.forEach(one -> text.append('\n').append(ResultTable.render(one)));
    if (!findings.isEmpty()) {
      text.append('\n');
    }
    findings.forEach(finding -> text.append(line(finding)).append('\n'));
    return text.toString();
  }

  /** The report for machines. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", subject.name()).put("question", subject.question());
    ExperimentDescription description = subject.description();
    json.put("shows", description.shows()).put("source", description.source());
    json.put("hardware", description.hardware().text());
    ArrayNode notes = json.putArray("caveats");
    caveats.forEach(notes::add);
    json.set("environment", environment.json());
    ArrayNode comparisons = json.putArray("comparisons");
    results.forEach(one -> comparisons.add(ResultJson.render(one)));
    ArrayNode ratios = json.putArray("findings");
    for (Finding finding : findings) {
      ObjectNode ratio = ratios.addObject().put("name", finding.name());
      ResultJson.summary(ratio, finding.ratio());
      ratio.put("note", finding.note());
    }
    return json;
  }

  private static String line(Finding finding) {
    SampleSummary ratio = finding.ratio();
    String note = finding.note().isEmpty() ? "" : " (" + finding.note() + ")";
    return finding.name()
        + ": "
        + RatioFormat.text(ratio.median())
        + ", "
        + RatioFormat.text(ratio.min())
        + " to "
        + RatioFormat.text(ratio.max())
        + note;
  }
}

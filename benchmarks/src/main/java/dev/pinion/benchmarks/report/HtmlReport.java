package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A report as an HTML page. */
final class HtmlReport {
  private static final List<String> READING =
      List.of(
          "Marks are medians over rounds, bars reach from the smallest to the largest round. All"
              + " variants take part in every round, in an order that changes.",
          "Ratios are taken within each round, so that what slowed a whole round down cancels out.",
          "“not distinguishable here” stands where the spreads of a variant and of its baseline"
              + " overlap. It does not say that they are equal. Below three rounds nothing is said.");

  private static final String READING_CPU =
      "cpu is processor time of the measured processes, user and system, for each answer.";

  private static final String READING_LOAD =
      "Latencies count from when a request was due. generator and lag are the load generator's:"
          + " the share of a core that its busiest event loop used, and how much later than due it"
          + " sent at p99.";

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param machines SVG drawings of the machines in the report, by name
   */
  static String render(Report report, Map<String, String> machines) {
    HtmlPage page = new HtmlPage("Experiment " + report.subject().name());
    page.paragraph("The question: " + report.subject().question() + ".");
    page.paragraph(report.subject().description().shows());
    page.paragraph(report.subject().description().source());
    report.caveats().forEach(page::note);
    if (!report.findings().isEmpty()) {
      page.heading("Findings");
      page.table(
          "Ratios within each round",
          List.of("finding", "median", "smallest", "largest", "note"),
          report.findings().stream().map(HtmlReport::row).toList(),
          1,
          3);
    }
    page.heading("Figures");
    report.figures().forEach(page::figure);
    page.heading("Tables");
    report.results().forEach(one -> table(page, one));
    page.heading("How to read this");
    page.list(reading(report));
    page.paragraph(report.subject().description().reading());
    page.heading("Machine");
    machines.forEach(
        (name, drawing) ->
            page.picture(drawing, name + ": packages, caches and CPUs, one replica per cache"));
    page.paragraph("Meaningful on " + report.subject().description().hardware().text() + ".");
    page.heading("Settings and versions");
    page.table(
        "Where and how this was made",
        List.of("what", "value"),
        report.environment().facts().entrySet().stream()
            .map(fact -> List.of(fact.getKey(), fact.getValue()))
            .toList(),
        2,
        2);
    return page.html();
  }

  /** Notes on reading all tables, and the columns that occur in this report. */
  private static List<String> reading(Report report) {
    List<Metric> columns =
        report.results().stream().flatMap(one -> one.metrics().stream()).toList();
    List<String> reading = new ArrayList<>(READING);
    if (columns.stream().anyMatch(Metric::isProcessorTime)) {
      reading.add(READING_CPU);
    }
    if (columns.contains(Metric.GENERATOR)) {
      reading.add(READING_LOAD);
    }
    return reading;
  }

  private static void table(HtmlPage page, ComparisonResults one) {
    List<List<String>> rows = ResultTable.rows(one);
    page.table(ResultTable.caption(one), rows.getFirst(), rows.subList(1, rows.size()), 2, 6);
  }

  private static List<String> row(Finding finding) {
    return List.of(
        finding.name(),
        RatioFormat.text(finding.ratio().median()),
        RatioFormat.text(finding.ratio().min()),
        RatioFormat.text(finding.ratio().max()),
        finding.note());
  }
}

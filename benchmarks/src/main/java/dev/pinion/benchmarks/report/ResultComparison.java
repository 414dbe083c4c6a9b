package dev.pinion.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.DotPlot;
import dev.pinion.benchmarks.experiment.ComparisonVerdict;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two result sets side by side. They were measured at different times, so a difference may come
 * from the machine; different environments are pointed out.
 */
public final class ResultComparison {
  private static final String CAUTION =
      "The two sets were not interleaved: what differs may be the machine or the hour.";
  private static final String FINDINGS = "Findings";
  private static final List<String> HEAD =
      List.of("metric", "variant", "A", "A spread", "B", "B spread", "B to A", "");

  private final JsonNode a;
  private final JsonNode b;
  private final List<TableRow> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * A metric of a variant in both sets.
   *
   * @param comparison title of the comparison
   * @param verdict verdict on B against A
   */
  record TableRow(
      String comparison,
      String variant,
      String metric,
      String unit,
      SampleSummary a,
      SampleSummary b,
      ComparisonVerdict verdict) {
    /** Ratio of B's median to A's; not finite when A's is zero. */
    double ratio() {
      return b.median() / a.median();
    }
  }

  /** Puts two results of {@link ResultFiles#read} side by side. */
  public ResultComparison(JsonNode a, JsonNode b) {
    this.a = a;
    this.b = b;
    notes.add(CAUTION);
    if (!a.path("experiment").equals(b.path("experiment"))) {
      throw new IllegalArgumentException(
          "expected results of one experiment, found "
              + a.path("experiment").asText()
              + " and "
              + b.path("experiment").asText());
    }
    compareEnvironments();
    Map<String, JsonNode> others = byTitle(b);
    for (Map.Entry<String, JsonNode> one : byTitle(a).entrySet()) {
      JsonNode other = others.remove(one.getKey());
      if (other == null) {
        notes.add("Only in A: " + one.getKey());
      } else {
        compare(one.getKey(), one.getValue(), other);
      }
    }
    others.keySet().forEach(title -> notes.add("Only in B: " + title));
    compareFindings();
  }

  /** The comparison for people. */
  public String text() {
    StringBuilder text = new StringBuilder("A and B: experiment ");
    text.append(a.path("experiment").asText()).append('\n');
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    byComparison()
        .forEach(
            (title, some) -> {
              List<List<String>> table = new ArrayList<>(List.of(HEAD));
              some.forEach(row -> table.add(cells(row)));
              text.append('\n').append(title).append('\n').append(TextTable.of(table, 2, 6));
            });
    return text.toString();
  }

  /** The comparison for machines. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("experiment", a.path("experiment").asText());
    ArrayNode all = json.putArray("notes");
    notes.forEach(all::add);
    ArrayNode list = json.putArray("rows");
    for (TableRow row : rows) {
      ObjectNode one = list.addObject().put("comparison", row.comparison);
      one.put("variant", row.variant).put("metric", row.metric).put("unit", row.unit);
      ResultJson.summary(one.putObject("a"), row.a);
      ResultJson.summary(one.putObject("b"), row.b);
      if (Double.isFinite(row.ratio())) {
        one.put("ratio", row.ratio());
      }
      one.put("verdict", row.verdict.toString());
    }
    return json;
  }

  /** The comparison as a page. */
  public String html() {
    HtmlPage page =
        new HtmlPage("Experiment " + a.path("experiment").asText() + ": A and B side by side");
    notes.forEach(page::note);
    byComparison()
        .forEach(
            (title, some) -> {
              page.heading(title);
              plots(page, some);
              page.table(title, HEAD, some.stream().map(ResultComparison::cells).toList(), 2, 6);
            });
    return page.html();
  }

  private static void plots(HtmlPage page, List<TableRow> rows) {
    Map<String, List<TableRow>> byMetric = new LinkedHashMap<>();
    rows.forEach(row -> byMetric.computeIfAbsent(row.metric, m -> new ArrayList<>()).add(row));
    byMetric.forEach(
        (metric, some) -> {
          List<DotPlot.PlotRow> dots = new ArrayList<>();
          for (TableRow row : some) {
            dots.add(new DotPlot.PlotRow("A " + row.variant, "A", ResultFigures.interval(row.a)));
            dots.add(new DotPlot.PlotRow("B " + row.variant, "B", ResultFigures.interval(row.b)));
          }
          page.figure(new DotPlot(metric, Axis.linear(metric, some.getFirst().unit), dots));
        });
  }

  private void compareEnvironments() {
    for (String fact : List.of("cpu", "cpus allowed", "kernel", "jdk", "commit", "command")) {
      String one = a.path("environment").path(fact).asText();
      String other = b.path("environment").path(fact).asText();
      if (!one.equals(other)) {
        notes.add("Different " + fact + ": A " + one + ", B " + other);
      }
    }
  }

  /** Compares findings like metrics; they are ratios within the rounds of a set. */
  private void compareFindings() {
    Map<String, JsonNode> others = byName(b);
    for (Map.Entry<String, JsonNode> one : byName(a).entrySet()) {
      JsonNode other = others.remove(one.getKey());
      if (other == null) {
        notes.add("Only in A: finding " + one.getKey());
      } else {
        SampleSummary left = summary(one.getValue());
        SampleSummary right = summary(other);
        ComparisonVerdict comparisonVerdict =
            ComparisonVerdict.of(right, left, Math.min(rounds(a), rounds(b)));
        rows.add(new TableRow(FINDINGS, one.getKey(), "ratio", "", left, right, comparisonVerdict));
      }
    }
    others.keySet().forEach(name -> notes.add("Only in B: finding " + name));
  }

  /** Rounds of a set, the same in each of its comparisons. */
  private static int rounds(JsonNode results) {
    return results.path("comparisons").path(0).path("rounds").asInt();
  }

  private static Map<String, JsonNode> byName(JsonNode results) {
    Map<String, JsonNode> map = new LinkedHashMap<>();
    results.path("findings").forEach(one -> map.put(one.path("name").asText(), one));
    return map;
  }

  private void compare(String title, JsonNode one, JsonNode other) {
    int rounds = Math.min(one.path("rounds").asInt(), other.path("rounds").asInt());
    noteLacking("A", title, one, other);
    noteLacking("B", title, other, one);
    for (Map.Entry<String, JsonNode> variant : one.path("variants").properties()) {
      JsonNode same = other.path("variants").path(variant.getKey());
      for (Map.Entry<String, JsonNode> metric : variant.getValue().properties()) {
        JsonNode theirs = same.path(metric.getKey());
        if (!theirs.isMissingNode()) {
          SampleSummary left = summary(metric.getValue());
          SampleSummary right = summary(theirs);
          String unit = one.path("units").path(metric.getKey()).asText();
          rows.add(
              new TableRow(
                  title,
                  variant.getKey(),
                  metric.getKey(),
                  unit,
                  left,
                  right,
                  ComparisonVerdict.of(right, left, rounds)));
        }
      }
    }
  }

  /** Notes each variant of one set, or metric of a variant in both, that the other set lacks. */
  private void noteLacking(String set, String title, JsonNode one, JsonNode other) {
    for (Map.Entry<String, JsonNode> variant : one.path("variants").properties()) {
      String found = "Only in " + set + ": " + title + ", " + variant.getKey();
      JsonNode same = other.path("variants").path(variant.getKey());
      if (same.isMissingNode()) {
        notes.add(found);
      } else {
        for (Map.Entry<String, JsonNode> metric : variant.getValue().properties()) {
          if (same.path(metric.getKey()).isMissingNode()) {
            notes.add(found + ", " + metric.getKey());
          }
        }
      }
    }
  }

  private Map<String, List<TableRow>> byComparison() {
    Map<String, List<TableRow>> map = new LinkedHashMap<>();
    rows.forEach(row -> map.computeIfAbsent(row.comparison, t -> new ArrayList<>()).add(row));
    return map;
  }

  private static Map<String, JsonNode> byTitle(JsonNode results) {
    Map<String, JsonNode> map = new LinkedHashMap<>();
    results.path("comparisons").forEach(one -> map.put(one.path("title").asText(), one));
    return map;
  }

  private static List<String> cells(TableRow row) {
    return List.of(
        row.unit.isEmpty() ? row.metric : row.metric + " [" + row.unit + "]",
        row.variant,
        number(row.a.median()),
        number(row.a.min()) + " to " + number(row.a.max()),
        number(row.b.median()),
        number(row.b.min()) + " to " + number(row.b.max()),
        Double.isFinite(row.ratio()) ? RatioFormat.text(row.ratio()) : "-",
        row.verdict.toString());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%,.2f", value);
  }

  private static SampleSummary summary(JsonNode json) {
    return new SampleSummary(
        json.path("median").asDouble(), json.path("min").asDouble(), json.path("max").asDouble());
  }
}

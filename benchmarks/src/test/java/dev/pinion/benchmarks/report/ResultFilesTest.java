package dev.pinion.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class ResultFilesTest {
  @TempDir private Path folder;

  @Test
  void shouldWriteAPageThatNeedsNothingElse() throws IOException {
    ResultFiles.write(
        folder.resolve("new/one"), report("gain", 1, "A & B"), Map.of("M1", "<svg/>"));

    String page = Files.readString(folder.resolve("new/one/report.html"));

    assertTrue(page.startsWith("<!doctype html>"), page);
    assertFalse(page.matches("(?s).*(<script|<link|@import|url\\().*"), "loads nothing");
    assertFalse(
        page.replaceAll("http://www.w3.org/2000/svg", "").contains("http"), "no address is loaded");
    for (String part :
        List.of(
            "Experiment gain",
            "what it gains",
            "It shows gains.",
            "A paper says so.",
            "Beware of this machine.",
            "A &amp; B",
            "not distinguishable here",
            "errors [requests]",
            "cpu [µs/instance]",
            "How to read this",
            "a fast one",
            "at least 8 CPUs and 2 last-level caches",
            "<svg class=\"plot\"",
            "alt=\"M1: packages, caches and CPUs",
            "data:image/svg+xml;base64,PHN2Zy8+",
            "two to one",
            "Read it with care.")) {
      assertTrue(page.contains(part), () -> "expected " + part + " in " + page);
    }
  }

  @Test
  void shouldLeaveNoFigureOfARunBefore() throws IOException {
    Report report = report("gain", 1, "A & B");
    int figures = report.figures().size();
    Path surplus = Files.createFile(folder.resolve("figure-" + (figures + 1) + ".svg"));
    Path more = Files.createFile(folder.resolve("figure-" + (figures + 12) + ".svg"));
    Path other = Files.createFile(folder.resolve("figure.svg"));

    ResultFiles.write(folder, report, Map.of());

    assertFalse(Files.exists(surplus));
    assertFalse(Files.exists(more));
    assertTrue(Files.exists(other));
    assertTrue(Files.exists(folder.resolve("figure-" + figures + ".svg")));
  }

  @Test
  void shouldWriteEachFigureAsAFileOfItsOwn() throws Exception {
    Report report = report("gain", 1, "A & B");
    ResultFiles.write(folder, report, Map.of());

    assertFalse(report.figures().isEmpty());
    for (int i = 1; i <= report.figures().size(); i++) {
      Element svg =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(folder.resolve("figure-" + i + ".svg").toFile())
              .getDocumentElement();
      assertEquals("svg", svg.getTagName());
      String style = svg.getElementsByTagName("style").item(0).getTextContent();
      assertTrue(style.contains("svg.plot .c0{"), style);
      assertEquals(1, svg.getElementsByTagName("rect").getLength());
    }
    assertFalse(Files.exists(folder.resolve("figure-" + (report.figures().size() + 1) + ".svg")));
  }

  @Test
  void shouldWriteEverySingleValueAsCsv() throws IOException {
    ResultFiles.write(folder, report("gain", 1, "six, \"fast\" calls"), Map.of());

    List<String> lines = Files.readAllLines(folder.resolve("results.csv"));

    assertEquals("experiment,comparison,variant,metric,unit,round,value", lines.getFirst());
    assertEquals(
        "gain,\"six, \"\"fast\"\" calls\",one,throughput,instances/s,1,100.0", lines.get(1));
    assertEquals(1 + 2 * 3 * 3, lines.size());
  }

  @Test
  void shouldPutTwoSetsSideBySide() throws IOException {
    JsonNode a = written("a", report("gain", 1, "calls"));
    JsonNode b = written("b", report("gain", 2, "calls"));

    ResultComparison both = new ResultComparison(a, b);

    JsonNode row = both.json().path("rows").get(0);
    assertEquals("throughput", row.path("metric").asText());
    assertEquals("one", row.path("variant").asText());
    assertEquals(2, row.path("ratio").asDouble(), 1e-9);
    assertEquals("higher", row.path("verdict").asText());
    assertEquals(7, both.json().path("rows").size());
    JsonNode finding = both.json().path("rows").get(6);
    assertEquals("Findings", finding.path("comparison").asText());
    assertEquals("two to one", finding.path("variant").asText());
    assertEquals(1, finding.path("ratio").asDouble(), 1e-9);
    assertTrue(both.text().contains("note: The two sets were not interleaved"), both.text());
    assertTrue(both.text().contains("2.00  higher"), both.text());
    assertTrue(both.html().contains("A one") && both.html().contains("B one"), both.html());
    assertFalse(both.json().path("rows").get(2).has("ratio"), "errors of zero have no ratio");
  }

  @Test
  void shouldSayWhatOnlyOneSetHas() throws IOException {
    ResultComparison both =
        new ResultComparison(
            written("a", report("gain", 1, "old")), written("b", report("gain", 1, "new")));

    assertTrue(both.text().contains("Only in A: old"), both.text());
    assertTrue(both.text().contains("Only in B: new"), both.text());
  }

  @Test
  void shouldSayWhichVariantsMetricsAndFindingsOnlyOneSetHas() throws IOException {
    ObjectNode a = (ObjectNode) written("a", report("gain", 1, "calls"));
    ObjectNode b = (ObjectNode) written("b", report("gain", 1, "calls"));
    ((ObjectNode) a.at("/comparisons/0/variants/one")).remove("cpu");
    ((ObjectNode) a.at("/findings/0")).put("name", "old");
    ((ObjectNode) b.at("/comparisons/0/variants")).remove("two");

    ResultComparison both = new ResultComparison(a, b);

    List<String> only = new ArrayList<>();
    both.json().path("notes").forEach(note -> only.add(note.asText()));
    only.removeIf(note -> !note.startsWith("Only in"));
    assertEquals(
        List.of(
            "Only in A: calls, two",
            "Only in B: calls, one, cpu",
            "Only in A: finding old",
            "Only in B: finding two to one"),
        only);
    assertEquals(2, both.json().path("rows").size());
  }

  @Test
  void shouldRefuseWhatCannotBeCompared() throws IOException {
    JsonNode a = written("a", report("gain", 1, "calls"));
    JsonNode other = written("b", report("tail", 1, "calls"));
    Path text = Files.writeString(folder.resolve("text"), "no JSON");
    Path json = Files.writeString(folder.resolve("json"), "{}");

    assertThrows(IllegalArgumentException.class, () -> new ResultComparison(a, other));
    assertThrows(IOException.class, () -> ResultFiles.read(folder.resolve("nothing")));
    assertThrows(IOException.class, () -> ResultFiles.read(text));
    assertThrows(IOException.class, () -> ResultFiles.read(json));
  }

  private JsonNode written(String name, Report report) throws IOException {
    ResultFiles.write(folder.resolve(name), report, Map.of());
    return ResultFiles.read(folder.resolve(name));
  }

  private static Report report(String name, double factor, String title) {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    samples.put("one", samples(factor, 100, 101, 102));
    samples.put("two", samples(factor, 99, 101, 103));
    ComparisonResults comparisonResults = new ComparisonResults(title, "one", samples);
    return new Report(
        new ReportSubject(
            name,
            "what it gains",
            new ExperimentDescription(
                "It shows gains.",
                "A paper says so.",
                new HardwareRequirement(8, 2),
                "Read it with care.")),
        List.of("Beware of this machine."),
        new EnvironmentReport(Map.of("cpu", "a fast one")),
        List.of(comparisonResults),
        List.of(new Finding("two to one", new SampleSummary(1, 0.9, 1.1), "")),
        ResultFigures.sideBySide(comparisonResults, List.of(Metric.THROUGHPUT)));
  }

  private static List<Sample> samples(double factor, double... throughputs) {
    return DoubleStream.of(throughputs)
        .mapToObj(
            value -> {
              Map<Metric, Double> values = new LinkedHashMap<>();
              values.put(Metric.THROUGHPUT, factor * value);
              values.put(Metric.CPU, 10.0);
              values.put(Metric.ERRORS, 0.0);
              return new Sample(values);
            })
        .toList();
  }
}

package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All measurements as CSV (RFC 4180), one value per line. */
final class CsvReport {
  private static final String END = "\r\n";

  private CsvReport() {}

  static String render(Report report) {
    StringBuilder csv = new StringBuilder();
    csv.append("experiment,comparison,variant,metric,unit,round,value").append(END);
    for (ComparisonResults one : report.results()) {
      for (Map.Entry<String, List<Sample>> variant : one.samples().entrySet()) {
        List<Metric> metrics = new ArrayList<>(one.metrics());
        metrics.addAll(one.parts(variant.getKey()));
        for (Metric metric : metrics) {
          for (int round = 0; round < one.rounds(); round++) {
            double value = variant.getValue().get(round).value(metric);
            csv.append(
                line(
                    report.subject().name(),
                    one.title(),
                    variant.getKey(),
                    metric.name(),
                    metric.unit(),
                    Integer.toString(round + 1),
                    Double.toString(value)));
          }
        }
      }
    }
    return csv.toString();
  }

  private static String line(String... cells) {
    return Stream.of(cells).map(CsvReport::quoted).collect(Collectors.joining(",")) + END;
  }

  private static String quoted(String cell) {
    return cell.matches("[^,\"\\r\\n]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
  }
}

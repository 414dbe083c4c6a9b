package dev.pinion.benchmarks.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;

/** Results as JSON for machines: all samples, and their statistics. */
public final class ResultJson {
  private ResultJson() {}

  /** The results of one comparison. */
  public static ObjectNode render(ComparisonResults results) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", results.title());
    json.put("baseline", results.baseline());
    json.put("rounds", results.rounds());
    ObjectNode units = json.putObject("units");
    results.metrics().forEach(metric -> units.put(metric.name(), metric.unit()));
    results.parts().forEach(part -> units.put(part.name(), part.unit()));
    ObjectNode variants = json.putObject("variants");
    results
        .samples()
        .forEach((name, samples) -> variants.set(name, variant(results, name, samples)));
    return json;
  }

  private static ObjectNode variant(ComparisonResults results, String name, List<Sample> samples) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Metric metric : results.metrics()) {
      ObjectNode values = measured(json, results, metric, name, samples);
      results
          .ratio(name, results.baseline(), metric)
          .ifPresent(ratio -> summary(values.putObject("ratioToBaseline"), ratio));
      values.put("verdict", results.verdict(name, metric).toString());
    }
    results.parts(name).forEach(part -> measured(json, results, part, name, samples));
    return json;
  }

  private static ObjectNode measured(
      ObjectNode json,
      ComparisonResults results,
      Metric metric,
      String name,
      List<Sample> samples) {
    ObjectNode values = json.putObject(metric.name());
    summary(values, results.summary(name, metric));
    ArrayNode rounds = values.putArray("rounds");
    samples.forEach(sample -> rounds.add(sample.value(metric)));
    return values;
  }

  /** Writes the middle and the spread. */
  static void summary(ObjectNode json, SampleSummary summary) {
    json.put("median", summary.median()).put("min", summary.min()).put("max", summary.max());
  }
}

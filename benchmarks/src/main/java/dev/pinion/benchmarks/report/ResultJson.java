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
  public static ObjectNode render(ComparisonResults comparisonResults) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", comparisonResults.title());
    json.put("baseline", comparisonResults.baseline());
    json.put("rounds", comparisonResults.rounds());
    ObjectNode units = json.putObject("units");
    comparisonResults.metrics().forEach(metric -> units.put(metric.name(), metric.unit()));
    comparisonResults.parts().forEach(part -> units.put(part.name(), part.unit()));
    ObjectNode variants = json.putObject("variants");
    comparisonResults
        .samples()
        .forEach((name, samples) -> variants.set(name, variant(comparisonResults, name, samples)));
    return json;
  }

  private static ObjectNode variant(
      ComparisonResults comparisonResults, String name, List<Sample> samples) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Metric metric : comparisonResults.metrics()) {
      ObjectNode values = measured(json, comparisonResults, metric, name, samples);
      comparisonResults
          .ratio(name, comparisonResults.baseline(), metric)
          .ifPresent(ratio -> summary(values.putObject("ratioToBaseline"), ratio));
      values.put("verdict", comparisonResults.verdict(name, metric).toString());
    }
    comparisonResults
        .parts(name)
        .forEach(part -> measured(json, comparisonResults, part, name, samples));
    return json;
  }

  private static ObjectNode measured(
      ObjectNode json,
      ComparisonResults comparisonResults,
      Metric metric,
      String name,
      List<Sample> samples) {
    ObjectNode values = json.putObject(metric.name());
    summary(values, comparisonResults.summary(name, metric));
    ArrayNode rounds = values.putArray("rounds");
    samples.forEach(sample -> rounds.add(sample.value(metric)));
    return values;
  }

  private static void summary(ObjectNode json, SampleSummary sampleSummary) {
    json.put("median", sampleSummary.median());
    json.put("min", sampleSummary.min());
    json.put("max", sampleSummary.max());
  }
}

package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Results of a comparison. The samples at one position of every variant's list belong to one round.
 *
 * @param title the conditions
 * @param baseline name of the variant that the others are compared with
 * @param samples the samples by variant, in the order of rounds
 */
public record ComparisonResults(String title, String baseline, Map<String, List<Sample>> samples) {
  /** Copies the samples and checks that every variant has the same rounds and metrics. */
  public ComparisonResults {
    Map<String, List<Sample>> copy = new LinkedHashMap<>();
    samples.forEach((name, list) -> copy.put(name, List.copyOf(list)));
    samples = Collections.unmodifiableMap(copy);
    List<Sample> reference = rounds(samples, baseline);
    Set<Metric> metrics = reference.isEmpty() ? Set.of() : reference.getFirst().values().keySet();
    samples.forEach(
        (name, list) -> {
          boolean complete = list.stream().allMatch(s -> s.values().keySet().equals(metrics));
          if (list.isEmpty() || list.size() != reference.size() || !complete) {
            throw new IllegalArgumentException(
                "expected the metrics of "
                    + baseline
                    + " in each of its "
                    + reference.size()
                    + " rounds, found other ones for "
                    + name);
          }
        });
  }

  /** Measurements of each variant. */
  public int rounds() {
    return rounds(samples, baseline).size();
  }

  /** Measured metrics, in the order of printing. */
  public Set<Metric> metrics() {
    return new LinkedHashSet<>(rounds(samples, baseline).getFirst().values().keySet());
  }

  /** Measured metrics of parts that not every variant has. */
  public Set<Metric> parts() {
    Set<Metric> parts = new LinkedHashSet<>();
    samples.keySet().forEach(variant -> parts.addAll(parts(variant)));
    return parts;
  }

  /** Metrics of the parts of a variant that were measured in every round. */
  public Set<Metric> parts(String variant) {
    List<Sample> rounds = rounds(samples, variant);
    Set<Metric> parts = new LinkedHashSet<>(rounds.getFirst().parts().keySet());
    rounds.forEach(sample -> parts.retainAll(sample.parts().keySet()));
    return parts;
  }

  /** Middle and spread of a metric of a variant. */
  public SampleSummary summary(String variant, Metric metric) {
    return SampleSummary.of(values(variant, metric));
  }

  /**
   * Middle and spread of the ratios of one variant to another, each taken within one round, so that
   * a slow round cancels out. Empty when a value of the other variant is zero.
   */
  public Optional<SampleSummary> ratio(String variant, String other, Metric metric) {
    List<Double> ratios = ratios(variant, other, metric);
    return ratios.isEmpty() ? Optional.empty() : Optional.of(SampleSummary.of(ratios));
  }

  /** Ratios of one variant to another by round; empty when a value of the other variant is zero. */
  public List<Double> ratios(String variant, String other, Metric metric) {
    List<Double> above = values(variant, metric);
    List<Double> below = values(other, metric);
    if (below.contains(0.0)) {
      return List.of();
    }
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < above.size(); round++) {
      ratios.add(above.get(round) / below.get(round));
    }
    return ratios;
  }

  /** Finding of the ratios of one variant to another; none when a value of the other is zero. */
  public Stream<Finding> finding(
      String name, String variant, String other, Metric metric, String note) {
    return ratio(variant, other, metric).map(ratio -> new Finding(name, ratio, note)).stream();
  }

  /** Variants except the baseline. */
  public List<String> others() {
    return samples.keySet().stream().filter(each -> !each.equals(baseline)).toList();
  }

  /** Verdict on a metric of a variant against the baseline. */
  public ComparisonVerdict verdict(String variant, Metric metric) {
    return variant.equals(baseline)
        ? ComparisonVerdict.BASELINE
        : ComparisonVerdict.of(summary(variant, metric), summary(baseline, metric), rounds());
  }

  /** Values of a metric of a variant by round. */
  List<Double> values(String variant, Metric metric) {
    return rounds(samples, variant).stream().map(sample -> sample.value(metric)).toList();
  }

  private static List<Sample> rounds(Map<String, List<Sample>> samples, String variant) {
    List<Sample> rounds = samples.get(variant);
    if (rounds == null) {
      throw new IllegalArgumentException(
          "expected one of " + samples.keySet() + ", found " + variant);
    }
    return rounds;
  }
}

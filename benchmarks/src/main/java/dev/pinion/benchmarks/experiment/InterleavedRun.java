package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures comparisons together: every round measures every variant of all of them, so that a slow
 * minute of the machine does not hit one alone. Comparisons and variants change their order from
 * round to round.
 */
public final class InterleavedRun {
  private InterleavedRun() {}

  /**
   * Warms up every variant, then measures all of them round by round.
   *
   * @param rounds measurements of each variant, 1 to {@link Comparison#MAX_ROUNDS}
   * @param runProgress notified before each step
   * @return results in the order of the comparisons
   * @throws MeasurementException at the first invalid measurement
   */
  public static List<ComparisonResults> of(
      List<Comparison> comparisons, int rounds, RunProgress runProgress)
      throws MeasurementException, InterruptedException {
    if (rounds < 1 || rounds > Comparison.MAX_ROUNDS) {
      throw new IllegalArgumentException(
          "expected 1 to " + Comparison.MAX_ROUNDS + " rounds, found " + rounds);
    }
    for (Comparison comparison : comparisons) {
      for (Variant variant : comparison.variants()) {
        runProgress.step(comparison.title() + ": warming up " + variant.name());
        variant.warmUp();
      }
    }
    Map<Comparison, Map<String, List<Sample>>> samples = new LinkedHashMap<>();
    comparisons.forEach(each -> samples.put(each, empty(each)));
    for (int round = 0; round < rounds; round++) {
      String title = ": round " + (round + 1) + "/" + rounds + ", ";
      for (Comparison comparison : RoundOrder.order(comparisons, round)) {
        for (Variant variant : RoundOrder.order(comparison.variants(), round)) {
          runProgress.step(comparison.title() + title + variant.name());
          Sample sample = variant.measure();
          samples
              .getOrDefault(comparison, Map.of())
              .getOrDefault(variant.name(), new ArrayList<>())
              .add(sample);
        }
      }
    }
    List<ComparisonResults> results = new ArrayList<>();
    samples.forEach(
        (each, values) ->
            results.add(new ComparisonResults(each.title(), each.baseline(), values)));
    return results;
  }

  private static Map<String, List<Sample>> empty(Comparison comparison) {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    comparison.variants().forEach(variant -> samples.put(variant.name(), new ArrayList<>()));
    return samples;
  }
}

package dev.pinion.benchmarks.experiment;

import java.util.List;

/**
 * Variants to be measured under the same conditions, in interleaved rounds.
 *
 * @param title the conditions, such as {@code sequential, 64 clients}
 * @param variants the variants, in the order of tables
 * @param baseline name of the variant that the others are compared with
 */
public record Comparison(String title, List<? extends Variant> variants, String baseline) {
  /** Most rounds of one run. */
  public static final int MAX_ROUNDS = 1_000;

  /** Checks that names are unique and that the baseline is one of them. */
  public Comparison {
    variants = List.copyOf(variants);
    List<String> names = variants.stream().map(Variant::name).toList();
    if (names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException("expected variants of different names, found " + names);
    }
    if (!names.contains(baseline)) {
      throw new IllegalArgumentException(
          "expected a baseline among " + names + ", found " + baseline);
    }
  }

  /** Number of steps that a run reports to its progress. */
  public int steps(int rounds) {
    return variants.size() * (rounds + 1);
  }

  /**
   * Warms up every variant, then measures all of them round by round.
   *
   * @param rounds measurements of each variant, 1 to {@link #MAX_ROUNDS}
   * @param runProgress notified before each step
   * @throws MeasurementException at the first invalid measurement
   */
  public ComparisonResults run(int rounds, RunProgress runProgress)
      throws MeasurementException, InterruptedException {
    return InterleavedRun.of(List.of(this), rounds, runProgress).getFirst();
  }
}

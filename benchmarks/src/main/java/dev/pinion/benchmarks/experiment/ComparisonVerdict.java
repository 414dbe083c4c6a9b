package dev.pinion.benchmarks.experiment;

/** Result of comparing a variant with its baseline. */
public enum ComparisonVerdict {
  /** The variant is the baseline. */
  BASELINE("baseline"),
  /** Every round of the variant lies above every round of the baseline. */
  HIGHER("higher"),
  /** Every round of the variant lies below every round of the baseline. */
  LOWER("lower"),
  /** The spreads overlap. */
  NOT_DISTINGUISHABLE("not distinguishable here"),
  /** Fewer than {@link #LEAST_ROUNDS} rounds say nothing about spread. */
  TOO_FEW_ROUNDS("too few rounds to tell");

  /** Least number of rounds for a verdict. */
  public static final int LEAST_ROUNDS = 3;

  private final String text;

  ComparisonVerdict(String text) {
    this.text = text;
  }

  /** Verdict on two spreads over a number of rounds. */
  public static ComparisonVerdict of(SampleSummary variant, SampleSummary baseline, int rounds) {
    if (rounds < LEAST_ROUNDS) {
      return TOO_FEW_ROUNDS;
    }
    if (variant.overlaps(baseline)) {
      return NOT_DISTINGUISHABLE;
    }
    return variant.min() > baseline.max() ? HIGHER : LOWER;
  }

  /** The verdict for people. */
  @Override
  public String toString() {
    return text;
  }
}

package dev.pinion.benchmarks.experiment;

/** What a comparison allows to be said of a variant beside its baseline. */
public enum Verdict {
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

  /** Rounds below which no verdict is given. */
  public static final int LEAST_ROUNDS = 3;

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** What two spreads over so many rounds say. */
  public static Verdict of(Summary variant, Summary baseline, int rounds) {
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

package dev.pinion.core.jq.value;

/** Text that charges its reader, so that a search inside a library ends with the budget. */
public final class MeteredText implements CharSequence {
  private final String text;
  private final int cost;
  private final EvaluationContext evaluationContext;

  /**
   * Wraps a text.
   *
   * @param cost instructions that a regular expression may run for each character
   */
  public MeteredText(String text, int cost, EvaluationContext evaluationContext) {
    this.text = text;
    this.cost = 1 + cost / 8;
    this.evaluationContext = evaluationContext;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    evaluationContext.charge(cost);
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}

package dev.pinion.core.expr;

/** Text that charges its reader, so that a search inside a library ends with the budget. */
final class ChargedText implements CharSequence {
  private final String text;
  private final int cost;
  private final Run run;

  /**
   * Wraps a text.
   *
   * @param cost instructions that a regular expression may run for each character
   */
  ChargedText(String text, int cost, Run run) {
    this.text = text;
    this.cost = 1 + cost / 8;
    this.run = run;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    run.charge(cost);
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

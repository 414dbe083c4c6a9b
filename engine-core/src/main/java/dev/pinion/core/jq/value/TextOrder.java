package dev.pinion.core.jq.value;

/** The order of strings by code point. */
final class TextOrder {
  private TextOrder() {}

  static int compare(String a, String b, EvaluationContext evaluationContext) {
    int common = Math.min(a.length(), b.length());
    evaluationContext.scanText(common);
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(codePointRank(x), codePointRank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Puts surrogates, which stand for the highest code points, above all other units. */
  private static int codePointRank(char unit) {
    return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
  }
}

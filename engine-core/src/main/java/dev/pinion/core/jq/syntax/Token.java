package dev.pinion.core.jq.syntax;

/**
 * A word of an expression.
 *
 * @param kind its kind
 * @param text the word without its marks: {@code foo} for {@code .foo}, {@code $foo} and {@code
 *     @foo}
 * @param offset position of its start in the source
 */
record Token(Kind kind, String text, int offset) {
  enum Kind {
    NUMBER,
    /** The quotation mark that opens a string; the parser then reads its parts. */
    QUOTE,
    FIELD,
    NAME,
    KEYWORD,
    VARIABLE,
    FORMAT,
    SYMBOL,
    END
  }

  boolean is(Kind expected, String word) {
    return kind == expected && text.equals(word);
  }

  /** The name of this token in an error message. */
  String found() {
    return switch (kind) {
      case END -> "the end of the expression";
      case QUOTE -> "a string";
      case FIELD -> "\"." + text + "\"";
      case VARIABLE -> "\"$" + text + "\"";
      case FORMAT -> "\"@" + text + "\"";
      case NUMBER, NAME, KEYWORD, SYMBOL -> "\"" + text + "\"";
    };
  }
}

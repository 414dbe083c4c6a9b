package dev.pinion.core.expr;

/**
 * A word of an expression.
 *
 * @param kind what it is
 * @param text the word without its marks: {@code foo} for {@code .foo}, {@code $foo} and {@code
 *     @foo}
 * @param offset where it starts in the source
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

  /** How an error message names this token. */
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

package dev.pinion.core.jq.syntax;

import dev.pinion.core.jq.syntax.Token.Kind;

/** Reads tokens with one of look-ahead, and bounds the nesting of parsers that read them. */
abstract class TokenReader {
  /** Nesting of brackets and the like; one level takes about ten frames of the Java stack. */
  static final int MAX_NESTING = 120;

  private final String source;
  private final Lexer lexer;
  private Token token;
  private int nesting;

  TokenReader(String source) {
    this.source = source;
    this.lexer = new Lexer(source);
    this.token = lexer.next();
  }

  final String source() {
    return source;
  }

  /** The next token. */
  final Token token() {
    return token;
  }

  /** Puts another token in the place of the next one. */
  final void replace(Token other) {
    token = other;
  }

  /** Continues inside a string whose quotation mark is the next token. */
  final Lexer.StringPart stringPart() {
    return lexer.stringPart();
  }

  final void enter() {
    if (++nesting > MAX_NESTING) {
      throw new ExpressionSyntaxException(
          token.offset(), "expected at most " + MAX_NESTING + " levels of nesting, found more");
    }
  }

  final void leave() {
    nesting--;
  }

  Token advance() {
    Token current = token;
    token = lexer.next();
    return current;
  }

  boolean accept(String symbol) {
    if (!token.is(Kind.SYMBOL, symbol)) {
      return false;
    }
    token = lexer.next();
    return true;
  }

  boolean acceptWord(String word) {
    if (!token.is(Kind.KEYWORD, word)) {
      return false;
    }
    token = lexer.next();
    return true;
  }

  void expect(String symbol) {
    if (!accept(symbol)) {
      throw unexpected("\"" + symbol + "\"");
    }
  }

  void expectWord(String word) {
    if (!acceptWord(word)) {
      throw unexpected("\"" + word + "\"");
    }
  }

  final ExpressionSyntaxException unexpected(String expected) {
    return new ExpressionSyntaxException(
        token.offset(), "expected " + expected + ", found " + token.found());
  }

  String variable() {
    if (token.kind() != Kind.VARIABLE) {
      throw unexpected("a name with \"$\"");
    }
    return advance().text();
  }
}

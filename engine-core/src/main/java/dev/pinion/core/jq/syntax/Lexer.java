package dev.pinion.core.jq.syntax;

import java.util.List;
import java.util.Set;

/** Cuts jq source into tokens, on demand, because the parser decides what a string contains. */
final class Lexer {
  private static final Set<String> KEYWORDS =
      Set.of(
          "def", "module", "import", "include", "if", "then", "else", "elif", "end", "as", "reduce",
          "foreach", "and", "or", "try", "catch", "label", "break", "__loc__");

  /** Longest first. */
  private static final List<String> SYMBOLS =
      List.of(
          "?//", "//=", "|=", "//", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "..", "|",
          ",", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", ".",
          "?");

  private final String source;
  private int at;

  Lexer(String source) {
    this.source = source;
  }

  Token next() {
    skipBlank();
    int start = at;
    if (start == source.length()) {
      return new Token(Token.Kind.END, "", start);
    }
    char c = source.charAt(start);
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      return number(start);
    }
    if (isNameStart(c)) {
      String name = qualifiedName();
      return new Token(KEYWORDS.contains(name) ? Token.Kind.KEYWORD : Token.Kind.NAME, name, start);
    }
    return switch (c) {
      case '"' -> {
        at++;
        yield new Token(Token.Kind.QUOTE, "\"", start);
      }
      case '.' -> isNameStart(peek(1)) ? field(start) : symbol(start);
      case '$' -> variable(start);
      case '@' -> format(start);
      default -> symbol(start);
    };
  }

  /** Continues inside a string: the text up to its end or to the next {@code \(}. */
  StringPart stringPart() {
    StringBuilder text = new StringBuilder();
    int start = at;
    while (at < source.length()) {
      char c = source.charAt(at++);
      if (c == '"') {
        return new StringPart(text.toString(), true);
      }
      if (c != '\\') {
        text.append(c);
      } else if (peek(0) == '(') {
        at++;
        return new StringPart(text.toString(), false);
      } else {
        escape(text);
      }
    }
    throw new ExpressionSyntaxException(
        start, "expected the end of the string, found the end of the text");
  }

  /**
   * A piece of a string.
   *
   * @param text its characters, escapes resolved
   * @param last whether the string ends here; otherwise an interpolation follows
   */
  record StringPart(String text, boolean last) {}

  private void escape(StringBuilder text) {
    char c = peek(0);
    at++;
    switch (c) {
      case '"', '\\', '/' -> text.append(c);
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      case 'u' -> text.append(character());
      default ->
          throw new ExpressionSyntaxException(
              at - 2,
              "expected an escape (one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u \\(), found \\"
                  + (c == 0 ? "nothing" : c));
    }
  }

  /** The character of {@code \\u}; half a surrogate pair is the replacement character. */
  private String character() {
    char first = unicode();
    if (Character.isHighSurrogate(first) && peek(0) == '\\' && peek(1) == 'u') {
      int mark = at;
      at += 2;
      char second = unicode();
      if (Character.isLowSurrogate(second)) {
        return new String(new char[] {first, second});
      }
      at = mark;
    }
    return Character.isSurrogate(first) ? "\ufffd" : String.valueOf(first);
  }

  private char unicode() {
    if (at + 4 <= source.length()) {
      String digits = source.substring(at, at + 4);
      if (digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
        at += 4;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw new ExpressionSyntaxException(at - 2, "expected four hexadecimal digits after \\u");
  }

  private Token number(int start) {
    digits();
    if (peek(0) == '.' && !isNameStart(peek(1)) && peek(1) != '.' && peek(1) != '[') {
      at++;
      digits();
    }
    char e = peek(0);
    if (e == 'e' || e == 'E') {
      int mark = at++;
      if (peek(0) == '+' || peek(0) == '-') {
        at++;
      }
      if (!isDigit(peek(0))) {
        throw new ExpressionSyntaxException(mark, "expected digits in the exponent of a number");
      }
      digits();
    }
    return new Token(Token.Kind.NUMBER, source.substring(start, at), start);
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private Token field(int start) {
    at++;
    return new Token(Token.Kind.FIELD, name(), start);
  }

  private Token variable(int start) {
    at++;
    skipBlank();
    if (!isNameStart(peek(0))) {
      throw new ExpressionSyntaxException(start, "expected a variable name after \"$\"");
    }
    return new Token(Token.Kind.VARIABLE, qualifiedName(), start);
  }

  private Token format(int start) {
    at++;
    if (!isNamePart(peek(0))) {
      throw new ExpressionSyntaxException(start, "expected a format name after \"@\"");
    }
    return new Token(Token.Kind.FORMAT, name(), start);
  }

  private Token symbol(int start) {
    for (String symbol : SYMBOLS) {
      if (source.startsWith(symbol, start)) {
        at += symbol.length();
        return new Token(Token.Kind.SYMBOL, symbol, start);
      }
    }
    String found = new String(Character.toChars(source.codePointAt(start)));
    throw new ExpressionSyntaxException(start, "expected an expression, found \"" + found + "\"");
  }

  private String qualifiedName() {
    int start = at;
    name();
    while (peek(0) == ':' && peek(1) == ':' && isNameStart(peek(2))) {
      at += 2;
      name();
    }
    return source.substring(start, at);
  }

  private String name() {
    int start = at;
    while (isNamePart(peek(0))) {
      at++;
    }
    return source.substring(start, at);
  }

  private void skipBlank() {
    while (at < source.length()) {
      char c = source.charAt(at);
      if (c == '#') {
        skipComment();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        at++;
      } else {
        return;
      }
    }
  }

  /** A backslash at the end of its line continues a comment on the next line (jq 1.7.1). */
  private void skipComment() {
    boolean escaped = false;
    while (at < source.length()) {
      char c = source.charAt(at);
      if (c == '\n' && !escaped) {
        return;
      }
      escaped = c == '\\' ? !escaped : c == '\r' && escaped;
      at++;
    }
  }

  private char peek(int ahead) {
    return at + ahead < source.length() ? source.charAt(at + ahead) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
  }
}

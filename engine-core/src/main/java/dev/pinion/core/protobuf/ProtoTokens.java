package dev.pinion.core.protobuf;

/**
 * The tokens of a {@code .proto} file (Protocol Buffers Language Specification, "Lexical
 * Elements"), one at a time. Comments are left out.
 */
final class ProtoTokens {
  /** Kinds of tokens. */
  enum TokenKind {
    NAME,
    NUMBER,
    TEXT,
    SYMBOL,
    END
  }

  private static final int MAX_SHOWN = 40;

  private final ProtoDocument document;
  private final String text;
  private int next;
  private int offset;
  private TokenKind kind = TokenKind.END;
  private String value = "";

  /** The tokens of a document; the first one is the present one. */
  ProtoTokens(ProtoDocument document) throws ProtoSyntaxException {
    this.document = document;
    this.text = document.text();
    advance();
  }

  /** Kind of the present token. */
  TokenKind kind() {
    return kind;
  }

  /** The present token; of a string what stands within its quotes, escapes resolved. */
  String value() {
    return value;
  }

  /** Index of the present token. */
  int offset() {
    return offset;
  }

  /** A problem of the present token. */
  ProtoSyntaxException expected(String what) {
    return problem(offset, "expected " + what + ", found " + describe());
  }

  /** A problem at a place. */
  ProtoSyntaxException problem(int at, String message) {
    return new ProtoSyntaxException(document.name(), at, message);
  }

  private String describe() {
    return switch (kind) {
      case END -> "the end of the text";
      case TEXT -> "a string";
      default ->
          '"' + (value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "…" : value) + '"';
    };
  }

  /** Whether the present token is a word or symbol. */
  boolean isAt(String word) {
    return (kind == TokenKind.NAME || kind == TokenKind.SYMBOL) && value.equals(word);
  }

  /** Takes a word or symbol, if it is the present token. */
  boolean accept(String word) throws ProtoSyntaxException {
    boolean found = isAt(word);
    if (found) {
      advance();
    }
    return found;
  }

  /** Takes a word or symbol that must be there. */
  void require(String word) throws ProtoSyntaxException {
    if (!accept(word)) {
      throw expected('"' + word + '"');
    }
  }

  /** Takes a name. */
  String name(String what) throws ProtoSyntaxException {
    if (kind != TokenKind.NAME) {
      throw expected(what);
    }
    String name = value;
    advance();
    return name;
  }

  /** Takes names with dots between them, perhaps with one before them. */
  String fullName(String what) throws ProtoSyntaxException {
    StringBuilder name = new StringBuilder();
    if (accept(".")) {
      name.append('.');
    }
    name.append(name(what));
    while (accept(".")) {
      name.append('.').append(name(what));
    }
    return name.toString();
  }

  /** Takes an integer, perhaps negative. */
  int integer(String what) throws ProtoSyntaxException {
    int at = offset;
    boolean negative = accept("-");
    if (kind == TokenKind.NUMBER) {
      try {
        long number = Long.decode(value);
        long signed = negative ? -number : number;
        if (signed == (int) signed) {
          advance();
          return (int) signed;
        }
      } catch (NumberFormatException e) {
        throw problem(at, "expected " + what + " as an integer, found \"" + value + '"');
      }
    }
    throw expected(what + " as an integer of 32 bits");
  }

  /** Takes strings; several in a row are one. */
  String text(String what) throws ProtoSyntaxException {
    if (kind != TokenKind.TEXT) {
      throw expected(what + " in quotes");
    }
    StringBuilder all = new StringBuilder();
    while (kind == TokenKind.TEXT) {
      all.append(value);
      advance();
    }
    return all.toString();
  }

  /** Goes on to the next token. */
  void advance() throws ProtoSyntaxException {
    skipBlanks();
    offset = next;
    if (next == text.length()) {
      kind = TokenKind.END;
      value = "";
      return;
    }
    char first = text.charAt(next);
    if (isNameStart(first)) {
      take(TokenKind.NAME);
    } else if (isDigit(first) || (first == '.' && isDigit(peek(1)))) {
      take(TokenKind.NUMBER);
    } else if (first == '"' || first == '\'') {
      takeText(first);
    } else {
      kind = TokenKind.SYMBOL;
      value = text.substring(next, next + 1);
      next++;
    }
  }

  private void take(TokenKind found) {
    int end = next + 1;
    boolean number = found == TokenKind.NUMBER;
    while (end < text.length() && (isNamePart(text.charAt(end)) || (number && isNumber(end)))) {
      end++;
    }
    kind = found;
    value = text.substring(next, end);
    next = end;
  }

  /** Whether a character is the point of a number, or the sign of its exponent. */
  private boolean isNumber(int at) {
    char c = text.charAt(at);
    char before = text.charAt(at - 1);
    boolean exponent = (before == 'e' || before == 'E') && !text.startsWith("0x", next);
    return c == '.' || ((c == '-' || c == '+') && exponent);
  }

  private void takeText(char quote) throws ProtoSyntaxException {
    StringBuilder content = new StringBuilder();
    int at = next + 1;
    while (at < text.length() && text.charAt(at) != quote && text.charAt(at) != '\n') {
      if (text.charAt(at) == '\\') {
        at = unescape(at + 1, content);
      } else {
        content.append(text.charAt(at++));
      }
    }
    if (at >= text.length() || text.charAt(at) != quote) {
      throw problem(offset, "expected the end of a string on its line, found none");
    }
    kind = TokenKind.TEXT;
    value = content.toString();
    next = at + 1;
  }

  /** Adds what an escape means; returns the index behind it. */
  private int unescape(int at, StringBuilder content) throws ProtoSyntaxException {
    if (at >= text.length()) {
      throw problem(at, "expected a character after \"\\\", found the end of the text");
    }
    char c = text.charAt(at);
    if (c == 'x' || c == 'X') {
      return code(at + 1, 2, 16, content);
    }
    if (c >= '0' && c <= '7') {
      return code(at, 3, 8, content);
    }
    content.append(
        switch (c) {
          case 'a' -> '\u0007';
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> '\u000b';
          default -> c;
        });
    return at + 1;
  }

  private int code(int from, int most, int radix, StringBuilder content) {
    int code = 0;
    int at = from;
    while (at < from + most
        && at < text.length()
        && Character.digit(text.charAt(at), radix) >= 0) {
      code = code * radix + Character.digit(text.charAt(at), radix);
      at++;
    }
    content.append((char) code);
    return at;
  }

  private void skipBlanks() throws ProtoSyntaxException {
    while (next < text.length()) {
      if (text.startsWith("//", next)) {
        int end = text.indexOf('\n', next);
        next = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", next)) {
        int end = text.indexOf("*/", next + 2);
        if (end < 0) {
          throw problem(next, "expected the end of the comment, found none");
        }
        next = end + 2;
      } else if (text.charAt(next) <= ' ' || text.charAt(next) == '\ufeff') {
        next++;
      } else {
        return;
      }
    }
  }

  private char peek(int ahead) {
    return next + ahead < text.length() ? text.charAt(next + ahead) : ' ';
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

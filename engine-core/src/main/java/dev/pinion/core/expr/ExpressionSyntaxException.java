package dev.pinion.core.expr;

/** Source text that is not an expression; caught by the compiler and reported as a problem. */
final class ExpressionSyntaxException extends RuntimeException {
  private final int offset;

  ExpressionSyntaxException(int offset, String message) {
    super(message, null, false, false);
    this.offset = offset;
  }

  int offset() {
    return offset;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}

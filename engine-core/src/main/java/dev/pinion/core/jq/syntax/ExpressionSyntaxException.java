package dev.pinion.core.jq.syntax;

/** Source text that is not an expression; caught by the compiler and reported as a problem. */
public final class ExpressionSyntaxException extends RuntimeException {
  private final int offset;

  public ExpressionSyntaxException(int offset, String message) {
    super(message, null, false, false);
    this.offset = offset;
  }

  public int offset() {
    return offset;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}

package dev.pinion.core.frontend.swf;

/** Text that cannot be read as one document within the limits. */
final class DocumentSyntaxException extends Exception {
  private final int offset;

  DocumentSyntaxException(int offset, String message) {
    super(message, null, false, false);
    this.offset = offset;
  }

  /** Offset of the character at which reading stopped. */
  int offset() {
    return offset;
  }

  /** The message, which is never absent. */
  String problem() {
    return String.valueOf(getMessage());
  }
}

package dev.pinion.core.document;

/** Text that cannot be read as one document within the limits. */
public final class DocumentSyntaxException extends Exception {
  private final int offset;

  DocumentSyntaxException(int offset, String message) {
    super(message, null, false, false);
    this.offset = offset;
  }

  /** Offset of the character at which reading stopped. */
  public int offset() {
    return offset;
  }

  /** The message, which is never absent. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}

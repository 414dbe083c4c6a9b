package dev.pinion.core.protobuf;

/** A {@code .proto} file that breaks the rules of its language. */
public final class ProtoSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  private final String document;
  private final int offset;

  /**
   * A problem.
   *
   * @param document name of the document
   * @param offset index of the character concerned
   * @param problem what was expected and what was found
   */
  ProtoSyntaxException(String document, int offset, String problem) {
    super(problem, null, false, false);
    this.document = document;
    this.offset = offset;
  }

  /** Name of the document. */
  public String document() {
    return document;
  }

  /** Index of the character concerned. */
  public int offset() {
    return offset;
  }

  /** What was expected and what was found. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}

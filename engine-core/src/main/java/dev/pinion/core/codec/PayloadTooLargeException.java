package dev.pinion.core.codec;

/** A JSON value that would take too much of the heap. */
public final class PayloadTooLargeException extends PayloadSyntaxException {
  private static final long serialVersionUID = 1;

  /**
   * A value that is too large.
   *
   * @param most bound of the heap bytes of one value
   */
  public PayloadTooLargeException(int most) {
    super(
        "expected a JSON value that takes at most "
            + most
            + " bytes of the heap (json.maxHeapBytes), found one that takes more");
  }
}

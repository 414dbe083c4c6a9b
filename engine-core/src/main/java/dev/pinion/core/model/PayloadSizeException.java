package dev.pinion.core.model;

/** A JSON value that would take too much of the heap. */
public final class PayloadSizeException extends PayloadSyntaxException {
  private static final long serialVersionUID = 1;

  /**
   * A refusal.
   *
   * @param most how much of the heap one value may take
   */
  public PayloadSizeException(int most) {
    super(
        "expected a JSON value that takes at most "
            + most
            + " bytes of the heap (json.maxHeapBytes), found one that takes more");
  }
}

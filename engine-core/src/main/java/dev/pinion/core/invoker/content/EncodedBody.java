package dev.pinion.core.invoker.content;

/** A body in the form in which it is sent. */
public final class EncodedBody {
  private final String contentType;
  private final byte[] bytes;

  /**
   * A body.
   *
   * @param contentType value of the field Content-Type
   * @param bytes the bytes; must not change
   */
  EncodedBody(String contentType, byte[] bytes) {
    this.contentType = contentType;
    this.bytes = bytes;
  }

  /** Value of the field Content-Type. */
  public String contentType() {
    return contentType;
  }

  /** The bytes. Read them; never write to them. */
  public byte[] bytes() {
    return bytes;
  }
}

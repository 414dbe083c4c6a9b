package dev.pinion.core.spi;

/**
 * Content of a message: bytes and their media type. Immutable by contract, so that it crosses
 * threads without copying: nothing writes to the bytes.
 */
public final class Content {
  /** No content. */
  public static final Content EMPTY = new Content(new byte[0], "");

  private final byte[] bytes;
  private final String mediaType;

  private Content(byte[] bytes, String mediaType) {
    this.bytes = bytes;
    this.mediaType = mediaType;
  }

  /**
   * Content.
   *
   * @param bytes content; the caller must not write to it again
   * @param mediaType value of a {@code Content-Type} field; empty when it is not known
   */
  public static Content of(byte[] bytes, String mediaType) {
    return bytes.length == 0 && mediaType.isEmpty() ? EMPTY : new Content(bytes, mediaType);
  }

  /** The bytes; must not be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** The media type, as in a {@code Content-Type} field; empty when it is not known. */
  public String mediaType() {
    return mediaType;
  }

  /** Media type and size; never the bytes. */
  @Override
  public String toString() {
    return (mediaType.isEmpty() ? "content" : mediaType) + " of " + bytes.length + " B";
  }
}

package dev.pinion.core.spi;

/**
 * What a message carries: bytes and their media type. Immutable by contract, so that it crosses
 * threads without copying: nobody writes to the bytes.
 */
public final class Content {
  /** Nothing. */
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
   * @param bytes never written to again by whoever makes this
   * @param mediaType as in a {@code Content-Type} field; empty when it is not known
   */
  public static Content of(byte[] bytes, String mediaType) {
    return bytes.length == 0 && mediaType.isEmpty() ? EMPTY : new Content(bytes, mediaType);
  }

  /** The bytes; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** The media type, as in a {@code Content-Type} field; empty when it is not known. */
  public String mediaType() {
    return mediaType;
  }

  /** Media type and size; never what is in it. */
  @Override
  public String toString() {
    return (mediaType.isEmpty() ? "content" : mediaType) + " of " + bytes.length + " B";
  }
}

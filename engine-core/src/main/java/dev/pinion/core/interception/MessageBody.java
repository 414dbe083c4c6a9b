package dev.pinion.core.interception;

/**
 * Content of a message: bytes and their media type. Immutable by contract, so that it crosses
 * threads without copying: nothing writes to the bytes.
 */
public final class MessageBody {
  /** No content. */
  public static final MessageBody EMPTY = new MessageBody(new byte[0], "");

  private final byte[] bytes;
  private final String mediaType;

  private MessageBody(byte[] bytes, String mediaType) {
    this.bytes = bytes;
    this.mediaType = mediaType;
  }

  /**
   * Content.
   *
   * @param bytes content; the caller must not write to it again
   * @param mediaType value of a {@code Content-Type} field; empty when it is not known
   */
  public static MessageBody of(byte[] bytes, String mediaType) {
    return bytes.length == 0 && mediaType.isEmpty() ? EMPTY : new MessageBody(bytes, mediaType);
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

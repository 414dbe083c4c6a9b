package dev.pinion.core.model;

/**
 * The answer of a service that said with status 202 that it would come later. Immutable by
 * contract: nobody writes to the bytes.
 */
public final class LateAnswer {
  /** The status of an answer that does not say its own. */
  public static final int OK = 200;

  private final int status;
  private final String mediaType;
  private final byte[] bytes;

  private LateAnswer(int status, String mediaType, byte[] bytes) {
    this.status = status;
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  /**
   * An answer.
   *
   * @param status as a service answers a call with at once, from 200 to 599 and not 202
   * @param mediaType as in a {@code Content-Type} field; empty when it is not known
   * @param bytes never written to again by whoever makes this
   * @throws IllegalArgumentException when the status is another one
   */
  public static LateAnswer of(int status, String mediaType, byte[] bytes) {
    if (!isStatus(status)) {
      throw new IllegalArgumentException(
          "expected a status from 200 to 599 other than 202, found " + status);
    }
    return new LateAnswer(status, mediaType, bytes);
  }

  /** Whether a call may end with a status: 202 would say again that the answer comes later. */
  public static boolean isStatus(int status) {
    return status >= 200 && status <= 599 && status != 202;
  }

  /** The status. */
  public int status() {
    return status;
  }

  /** The media type, as in a {@code Content-Type} field; empty when it is not known. */
  public String mediaType() {
    return mediaType;
  }

  /** The bytes; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** Status and size; never what is in it. */
  @Override
  public String toString() {
    return status + " with " + bytes.length + " B";
  }
}

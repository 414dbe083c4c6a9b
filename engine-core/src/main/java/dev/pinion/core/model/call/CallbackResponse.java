package dev.pinion.core.model.call;

/**
 * Late answer of a service that announced it with status 202. Immutable by contract: nothing writes
 * to the bytes.
 */
public final class CallbackResponse {
  /** Status of an answer without one. */
  public static final int OK = 200;

  private final int status;
  private final String mediaType;
  private final byte[] bytes;

  private CallbackResponse(int status, String mediaType, byte[] bytes) {
    this.status = status;
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  /**
   * An answer.
   *
   * @param status status as in a response to the call, from 200 to 599 and not 202
   * @param mediaType value of a {@code Content-Type} field; empty when it is not known
   * @param bytes content; the caller must not write to it again
   * @throws IllegalArgumentException when the status is invalid
   */
  public static CallbackResponse of(int status, String mediaType, byte[] bytes) {
    if (!isStatus(status)) {
      throw new IllegalArgumentException(
          "expected a status from 200 to 599 other than 202, found " + status);
    }
    return new CallbackResponse(status, mediaType, bytes);
  }

  /** Whether a call may end with a status: 202 would announce a later answer again. */
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

  /** The content; must not be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** Status and size; never the content. */
  @Override
  public String toString() {
    return status + " with " + bytes.length + " B";
  }
}

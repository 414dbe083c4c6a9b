package dev.pinion.bootstrap.client.asyncapi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that was received.
 *
 * @param payload its bytes; must not change
 * @param contentType media type that it came with, or null
 * @param headers its headers by name
 * @param correlationId correlation id that it came with, or null
 * @param acknowledgement tells the server that the message need not come again; may wait
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or changed
record InboundMessage(
    byte[] payload,
    @Nullable String contentType,
    Map<String, String> headers,
    @Nullable String correlationId,
    Runnable acknowledgement) {
  /** Acknowledgement of a message that never comes again. */
  static final Runnable NO_ACKNOWLEDGEMENT = () -> {};

  /** Number of bytes. */
  @Override
  public String toString() {
    return payload.length + " bytes";
  }
}

package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message to send.
 *
 * @param endpoint its channel
 * @param carrier the request that carries it, with the authorization
 * @param payload its bytes; must not change
 * @param headers its headers by name
 * @param id name of the message, the same in all repetitions; null for none
 * @param correlationId its correlation id, or null
 * @param credentials what it is sent with, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or changed
record OutgoingMessage(
    MessageEndpoint endpoint,
    HttpCall carrier,
    byte[] payload,
    Map<String, String> headers,
    @Nullable String id,
    @Nullable String correlationId,
    @Nullable MessageCredentials credentials) {
  /** A message that a request carries. */
  static OutgoingMessage of(MessageEndpoint endpoint, HttpCall carrier, byte[] payload) {
    Map<String, String> headers = new TreeMap<>();
    String id = null;
    for (HttpCall.HeaderField field : carrier.headers()) {
      if (!MessageCredentials.isAuthorization(field)) {
        headers.put(field.name(), field.value());
      }
      if (field.name().equalsIgnoreCase(HttpCall.IDEMPOTENCY_KEY)) {
        id = unquoted(field.value());
      }
    }
    return new OutgoingMessage(
        endpoint,
        carrier,
        payload,
        headers,
        id,
        correlationId(endpoint, carrier, headers),
        MessageCredentials.of(carrier));
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  private static @Nullable String correlationId(
      MessageEndpoint endpoint, HttpCall carrier, Map<String, String> headers) {
    if (endpoint.correlation() == null) {
      return null;
    }
    Payload body = carrier.body() == null ? Payload.NULL : carrier.body();
    Payload found = endpoint.correlation().find(body, MessageContent.object(headers));
    return found == null ? null : found.scalar();
  }

  /** The channel: payload and headers may hold secrets. */
  @Override
  public String toString() {
    return endpoint.toString();
  }
}

package dev.pinion.core.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message to send to a channel: {@code call: asyncapi} with a message.
 *
 * @param endpoint the channel
 * @param body the payload
 * @param headers the headers by name
 * @param key name of the message, the same in all repetitions; null for none
 */
public record MessagePublish(
    MessageEndpoint endpoint, Payload body, SortedMap<String, String> headers, @Nullable String key)
    implements ProtocolCall {
  /** Copies the headers. */
  public MessagePublish {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  @Override
  public Protocol protocol() {
    return Protocol.ASYNCAPI;
  }

  @Override
  public MessagePublish withBody(Payload other) {
    return new MessagePublish(endpoint, other, headers, key);
  }

  @Override
  public MessagePublish withIdempotencyKey(String name, int attempt) {
    return new MessagePublish(endpoint, body, headers, name);
  }

  @Override
  public String description() {
    return "a message to the " + endpoint;
  }
}

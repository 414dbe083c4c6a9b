package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A message to send to a channel: {@code call: asyncapi} with a message.
 *
 * @param endpoint the channel
 * @param carrier the request that carries it: its body is the payload, its header fields are the
 *     headers
 */
public record MessagePublish(MessageEndpoint endpoint, HttpCall carrier) implements ProtocolCall {
  @Override
  public Protocol protocol() {
    return Protocol.ASYNCAPI;
  }

  @Override
  public @Nullable Payload body() {
    return carrier.body();
  }

  @Override
  public MessagePublish withBody(Payload other) {
    return new MessagePublish(endpoint, carrier.withBody(other));
  }

  @Override
  public long heapBytes() {
    return carrier.heapBytes();
  }

  @Override
  public MessagePublish withValues(UnaryOperator<Payload> each) {
    return new MessagePublish(endpoint, carrier.withValues(each));
  }

  @Override
  public MessagePublish withIdempotencyKey(String key, int attempt) {
    return new MessagePublish(endpoint, carrier.withIdempotencyKey(key, attempt));
  }

  @Override
  public String description() {
    return "a message to the " + endpoint;
  }
}

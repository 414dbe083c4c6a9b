package dev.pinion.core.model.call;

import dev.pinion.core.model.Payload;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Request for the next message of a channel, or for the end of the subscription: {@code call:
 * asyncapi} with a subscription. A task makes one request after the other under the same name; each
 * says how many messages the task has, so that these may be acknowledged.
 *
 * <p>The outcome is a message {@code {payload, headers, correlationId}}, or null when the channel
 * has ended or this is the last request.
 *
 * @param endpoint the channel
 * @param carrier the request that carries it, for the authentication
 * @param progress how far the task has come
 * @param key name of the subscription; empty until it has one
 */
public record MessageSubscription(
    MessageEndpoint endpoint, HttpCall carrier, Progress progress, String key)
    implements ProtocolCall {
  /**
   * How far a subscription has come.
   *
   * @param received messages that the task has received and the journal has
   * @param isLast whether the task wants no further message
   */
  public record Progress(int received, boolean isLast) {
    /** Before the first message. */
    public static final Progress NONE = new Progress(0, false);
  }

  /** The first request of a subscription. */
  public static MessageSubscription of(MessageEndpoint endpoint, HttpCall carrier) {
    return new MessageSubscription(endpoint, carrier, Progress.NONE, "");
  }

  /** A request after some messages. */
  public MessageSubscription after(int messages, boolean last) {
    return new MessageSubscription(endpoint, carrier, new Progress(messages, last), key);
  }

  @Override
  public Protocol protocol() {
    return Protocol.ASYNCAPI;
  }

  /** A message may come at any time; the end of a subscription comes at once. */
  @Override
  public boolean isTimed() {
    return progress.isLast();
  }

  @Override
  public @Nullable Payload body() {
    return null;
  }

  @Override
  public MessageSubscription withBody(Payload other) {
    return this;
  }

  @Override
  public long heapBytes() {
    return carrier.heapBytes();
  }

  @Override
  public MessageSubscription withValues(UnaryOperator<Payload> each) {
    return new MessageSubscription(endpoint, carrier.withValues(each), progress, key);
  }

  @Override
  public boolean needsIdempotencyKey() {
    return true;
  }

  @Override
  public MessageSubscription withIdempotencyKey(String name, int attempt) {
    return new MessageSubscription(endpoint, carrier, progress, name);
  }

  @Override
  public String description() {
    return (progress.isLast() ? "the end of messages of the " : "a message of the ") + endpoint;
  }
}

package dev.pinion.core.model;

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
 * @param received messages that the task has received and the journal has
 * @param isLast whether the task wants no further message
 * @param key name of the subscription; empty until it has one
 */
public record MessageSubscription(
    MessageEndpoint endpoint, int received, boolean isLast, String key) implements ProtocolCall {
  /** The first request of a subscription. */
  public static MessageSubscription of(MessageEndpoint endpoint) {
    return new MessageSubscription(endpoint, 0, false, "");
  }

  /** A request after some messages. */
  public MessageSubscription after(int messages, boolean last) {
    return new MessageSubscription(endpoint, messages, last, key);
  }

  @Override
  public Protocol protocol() {
    return Protocol.ASYNCAPI;
  }

  /** A message may come at any time; the end of a subscription comes at once. */
  @Override
  public boolean isTimed() {
    return isLast;
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
  public boolean needsIdempotencyKey() {
    return true;
  }

  @Override
  public MessageSubscription withIdempotencyKey(String name, int attempt) {
    return new MessageSubscription(endpoint, received, isLast, name);
  }

  @Override
  public String description() {
    return (isLast ? "the end of messages of the " : "a message of the ") + endpoint;
  }
}

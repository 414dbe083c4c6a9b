package dev.pinion.core.model.call;

import org.jspecify.annotations.Nullable;

/**
 * A channel of messages at a server, as an AsyncAPI document describes it. Immutable.
 *
 * @param protocol the protocol
 * @param server the server
 * @param address name of the channel at the server: a subject, a topic, a routing key or a path
 * @param contentType media type of the payloads
 * @param options what the document says of the channel for the protocol
 * @param correlation place of the correlation id in messages, or null
 */
public record MessageEndpoint(
    MessageProtocol protocol,
    MessageServer server,
    String address,
    String contentType,
    MessageOptions options,
    @Nullable MessageLocation correlation) {
  /** Protocol, server and channel. */
  @Override
  public String toString() {
    return protocol.word() + " channel \"" + address + "\" at " + server;
  }
}

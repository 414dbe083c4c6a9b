package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageServer;
import org.jspecify.annotations.Nullable;

/**
 * What tasks that share a connection have in common.
 *
 * @param credentials what it was opened with, or null
 */
record ConnectionKey(
    MessageProtocol protocol, MessageServer server, @Nullable MessageCredentials credentials) {
  static ConnectionKey of(OutgoingMessage message) {
    MessageEndpoint endpoint = message.endpoint();
    return new ConnectionKey(endpoint.protocol(), endpoint.server(), message.credentials());
  }

  static ConnectionKey of(MessageEndpoint endpoint, HttpCall carrier) {
    return new ConnectionKey(
        endpoint.protocol(), endpoint.server(), MessageCredentials.of(carrier));
  }
}

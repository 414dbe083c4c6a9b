package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageOptions;
import org.jspecify.annotations.Nullable;

/**
 * Makes the channel of a message. Immutable.
 *
 * @param server makes the server
 * @param address the address at the server
 * @param contentType media type of the payloads
 * @param options what the document says of the channel for the protocol
 * @param correlation place of the correlation id, or null
 */
public record MessageEndpointTemplate(
    MessageServerTemplate server,
    MessageAddress address,
    String contentType,
    MessageOptions options,
    @Nullable MessageLocation correlation) {
  /** The channel for a message. */
  MessageEndpoint of(Payload payload, Payload headers, Payload input, Scope scope, Budget budget) {
    return new MessageEndpoint(
        server.protocol(),
        server.evaluate(input, scope, budget),
        address.of(payload, headers),
        contentType,
        options,
        correlation);
  }
}

package dev.pinion.handlers.remote.protocol;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import java.util.Map;

/**
 * Task of a host.
 *
 * @param operation the called operation
 * @param chain name of the chain, for people
 * @param step name of the step in its chain, for people
 * @param kind the kind of handler
 * @param settings settings of the chain for the handler
 * @param message the part of the message that the handler reads
 */
public record HandlerTask(
    HandlerOperation operation,
    String chain,
    String step,
    String kind,
    Payload settings,
    Message message) {
  /** Estimated bytes in a host, which parses settings and message anew. */
  public long size() {
    return message.size() + settings.weight();
  }

  /** This task without its content: enough to identify it. */
  public HandlerTask named() {
    Message empty = Message.of(message.id(), message.point(), Map.of(), Body.EMPTY);
    return new HandlerTask(operation, chain, step, kind, Payload.EMPTY_OBJECT, empty);
  }
}

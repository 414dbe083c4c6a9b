package dev.pinion.handlers.remote;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import java.util.Map;

/**
 * What a host is to do.
 *
 * @param operation what is called
 * @param chain name of the chain, for people
 * @param step name of the step in its chain, for people
 * @param kind the kind of handler
 * @param settings what the chain sets for the handler
 * @param message as much of the message as the handler reads
 */
record Task(
    Operation operation,
    String chain,
    String step,
    String kind,
    Payload settings,
    Message message) {
  /** About how many bytes it takes in a host, which reads settings and message of its own. */
  long size() {
    return message.size() + settings.weight();
  }

  /** This, without what it is done with: enough to name it. */
  Task named() {
    Message empty = Message.of(message.id(), message.point(), Map.of(), Body.EMPTY);
    return new Task(operation, chain, step, kind, Payload.EMPTY_OBJECT, empty);
  }
}

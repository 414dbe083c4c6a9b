package dev.pinion.handlers.builtin.observe;

import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.util.UUID;

/**
 * Destination of the events of the handler {@code notify}, for subscribers. For use by any thread.
 */
@FunctionalInterface
public interface NotificationSink {
  /**
   * Stores an event for its subscribers; returns when it is stored, or has no subscriber. Blocks.
   * Events of the same id are stored once.
   *
   * @param id id of the event
   * @param namespace namespace of the message's definition; empty when unknown
   * @param definition name of the definition; empty when unknown
   * @param event a CloudEvent 1.0 as JSON object
   * @throws IOException when it may not have been stored
   */
  void put(UUID id, String namespace, String definition, Payload event) throws IOException;
}

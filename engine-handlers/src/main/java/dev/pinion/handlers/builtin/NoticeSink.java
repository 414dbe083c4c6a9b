package dev.pinion.handlers.builtin;

import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.util.UUID;

/** Where the handler {@code notify} puts what subscribers are to be told. For use by any thread. */
@FunctionalInterface
public interface NoticeSink {
  /**
   * Puts an event where those subscribers get it who want it; returns when it is kept for them, or
   * nobody wants it. Blocks. What has the same id is put there once.
   *
   * @param id names it
   * @param namespace of the definition that the message is about; empty when that is not known
   * @param definition its name; empty when that is not known
   * @param event a CloudEvent 1.0 as JSON object
   * @throws IOException when it could not be put there for sure
   */
  void put(UUID id, String namespace, String definition, Payload event) throws IOException;
}

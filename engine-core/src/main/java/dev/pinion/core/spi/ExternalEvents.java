package dev.pinion.core.spi;

import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Receiver of external events for processes, off the path of requests: the port of the lane of
 * external events. Any thread; methods do not block.
 */
public interface ExternalEvents extends AutoCloseable {
  /** A receiver that accepts none. */
  ExternalEvents NONE =
      (namespace, events) ->
          CompletableFuture.completedFuture(
              new EventReceipt.StoreUnavailable(
                  "external events need a data folder, and there is none"));

  /**
   * Posts events in their order, all of them or none.
   *
   * @param namespace their namespace
   * @param events CloudEventWriter 1.0 as JSON objects, with {@code data} as JSON
   * @return their outcome; never fails
   */
  CompletableFuture<EventReceipt> post(String namespace, List<Payload> events);

  /** Stops accepting events. The engine's owner calls it once, after the engine was closed. */
  @Override
  default void close() {}

  /** Outcome of posted events. */
  sealed interface EventReceipt {
    /**
     * They are on disk, and every replica will apply them.
     *
     * @param accepted number of new events
     * @param repeated number of skipped events, known by source and id, with the same content
     */
    record Stored(int accepted, int repeated) implements EventReceipt {}

    /** One of them is invalid; the message names it, with what was expected and found. */
    record Malformed(String message) implements EventReceipt {}

    /** One of them has the source and id of another event with other content. */
    record ContentConflict(String message) implements EventReceipt {}

    /** Too many requests wait. */
    record QueueFull(String limit) implements EventReceipt {}

    /** A limit is reached. */
    record StoreFull(String limit) implements EventReceipt {}

    /** The disk has no room. */
    record NoDiskSpace() implements EventReceipt {}

    /** They cannot be stored now. */
    record StoreUnavailable(String reason) implements EventReceipt {}
  }
}

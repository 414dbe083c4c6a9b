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
              new Outcome.Unavailable("external events need a data folder, and there is none"));

  /**
   * Posts events in their order, all of them or none.
   *
   * @param namespace their namespace
   * @param events CloudEvents 1.0 as JSON objects, with {@code data} as JSON
   * @return their outcome; never fails
   */
  CompletableFuture<Outcome> post(String namespace, List<Payload> events);

  /** Stops accepting events. The engine's owner calls it once, after the engine was closed. */
  @Override
  default void close() {}

  /** Outcome of posted events. */
  sealed interface Outcome {
    /**
     * They are on disk, and every replica will apply them.
     *
     * @param accepted number of new events
     * @param repeated number of skipped events, known by source and id, with the same content
     */
    record Accepted(int accepted, int repeated) implements Outcome {}

    /** One of them is invalid; the message names it, with what was expected and found. */
    record Malformed(String message) implements Outcome {}

    /** One of them has the source and id of another event with other content. */
    record Conflict(String message) implements Outcome {}

    /** Too many requests wait. */
    record Busy(String limit) implements Outcome {}

    /** A limit is reached. */
    record Full(String limit) implements Outcome {}

    /** The disk has no room. */
    record DiskFull() implements Outcome {}

    /** They cannot be stored now. */
    record Unavailable(String reason) implements Outcome {}
  }
}

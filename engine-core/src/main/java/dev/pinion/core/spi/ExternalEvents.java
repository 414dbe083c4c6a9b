package dev.pinion.core.spi;

import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes what happened outside and processes are to know of, off the path of requests: the port of
 * the lane of external events. Any thread; methods do not block.
 */
public interface ExternalEvents extends AutoCloseable {
  /** Takes none. */
  ExternalEvents NONE =
      (namespace, events) ->
          CompletableFuture.completedFuture(
              new Outcome.Unavailable("external events need a data folder, and there is none"));

  /**
   * Takes events in their order, all of them or none.
   *
   * @param namespace that they are sent to
   * @param events CloudEvents 1.0 as JSON objects, with {@code data} as JSON
   * @return what became of them; never fails
   */
  CompletableFuture<Outcome> post(String namespace, List<Payload> events);

  /** Takes no further ones. The engine's owner calls it once, after the engine was closed. */
  @Override
  default void close() {}

  /** What became of events. */
  sealed interface Outcome {
    /**
     * They are on disk, and every replica will apply them.
     *
     * @param accepted those that were new
     * @param repeated those that were known by source and id, with the same content: left out
     */
    record Accepted(int accepted, int repeated) implements Outcome {}

    /** One is no event; the message says which, what was expected and found. */
    record Malformed(String message) implements Outcome {}

    /** One has source and id of another event, which was different. */
    record Conflict(String message) implements Outcome {}

    /** Too many wait. */
    record Busy(String limit) implements Outcome {}

    /** No more fit. */
    record Full(String limit) implements Outcome {}

    /** There is no room on the disk. */
    record DiskFull() implements Outcome {}

    /** They cannot be kept now. */
    record Unavailable(String reason) implements Outcome {}
  }
}

package dev.pinion.core.spi;

import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Payload;
import java.util.BitSet;
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
   * @param events CloudEvents 1.0 in their JSON format
   * @return their outcome; never fails
   */
  CompletableFuture<EventReceipt> post(String namespace, List<Payload> events);

  /**
   * Posts an event that an instance emits.
   *
   * @param namespace namespace of the instance
   * @param event as above
   * @return its outcome; never fails
   */
  default CompletableFuture<EventReceipt> emit(String namespace, Payload event) {
    return post(namespace, List.of(event));
  }

  /**
   * Begins to feed the instances of some kernels. The engine calls it once, before clients are let
   * in.
   *
   * @param kernels the kernels
   */
  default void feed(List<KernelFeed> kernels) {}

  /** Adds the present metrics. */
  default void addMetrics(MetricFamilies families) {}

  /**
   * A kernel that is fed.
   *
   * @param subscriber the kernel
   * @param partitions partitions that it owns whenever they are here
   */
  record KernelFeed(EventSubscriber subscriber, BitSet partitions) {}

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
    record ContentConflict(String message) implements EventReceipt {
      /** The conflict of an event. */
      public static ContentConflict of(String source, String id) {
        return new ContentConflict(
            "expected a source and an id that no other event has, found "
                + source
                + " and "
                + id
                + " of an event with other attributes or data; give each event a unique id");
      }
    }

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

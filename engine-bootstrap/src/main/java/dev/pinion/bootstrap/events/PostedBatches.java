package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.events.EventStore.StoredBatch;
import dev.pinion.bootstrap.events.WaitingEvents.PendingEvents;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests as batches to store.
 *
 * @param batches those of requests that can be stored
 * @param malformed by request: its outcome when it cannot be stored, or null
 */
record PostedBatches(List<StoredBatch> batches, List<@Nullable EventReceipt> malformed) {
  private static final Logger LOG = LoggerFactory.getLogger(PostedBatches.class);

  static PostedBatches of(List<PendingEvents> requests, CloudEventReader reader) {
    List<StoredBatch> batches = new ArrayList<>();
    List<@Nullable EventReceipt> malformed = new ArrayList<>();
    for (PendingEvents request : requests) {
      try {
        batches.add(
            new StoredBatch(request.namespace(), reader.read(request.events()), request.emitted()));
        malformed.add(null);
      } catch (CloudEventReader.MalformedException e) {
        malformed.add(new EventReceipt.Malformed(String.valueOf(e.getMessage())));
      } catch (RuntimeException e) { // the lane must go on for the others
        LOG.error("events failed inside the engine", e);
        malformed.add(new EventReceipt.StoreUnavailable("events failed inside the engine: " + e));
      }
    }
    return new PostedBatches(batches, malformed);
  }

  /** Outcomes of all requests, given those of the batches. */
  List<EventReceipt> outcomes(List<EventReceipt> ofBatches) {
    Iterator<EventReceipt> next = ofBatches.iterator();
    return malformed.stream().map(each -> each == null ? next.next() : each).toList();
  }
}

package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.events.EventStore.StoredBatch;
import dev.pinion.bootstrap.events.WaitingEvents.PendingEvents;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests as batches to store.
 *
 * @param batches those of requests that can be stored
 * @param malformed by request: its outcome when it cannot be stored, or null
 */
record PostedBatches(List<StoredBatch> batches, List<@Nullable EventReceipt> malformed) {
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

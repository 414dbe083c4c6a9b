package dev.pinion.core.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.stage.Lane;
import org.junit.jupiter.api.Test;

class KernelJournalTest {
  private static final long BOUND = 51 << 20; // of a heap of 256 MB

  private final HeapAccount heap = new HeapAccount(BOUND);
  private final Lane<KernelJournal.Appended> lane = new Lane<>("journal", 1 << 16);
  private final KernelJournal journal = new KernelJournal(lane, () -> true, () -> false, heap);

  private static JournalRecord start(Payload input) {
    DefinitionKey key = new DefinitionKey("n", "d", "1");
    return new JournalRecord(
        InstanceId.next(1, 0, null), 0, 0, 0, 0, new Event.Started(key, 0, input));
  }

  /** Field fault 1: small records that wait for a stalled disk fill the heap too. */
  @Test
  void shouldCountSmallRecordsOnTheirWay() {
    JournalRecord record = start(Payload.of("x".repeat(4 << 10))); // 8 kB of the heap
    int appended = 0;
    while (!heap.isFull(0)) {
      assertNull(journal.refusal(), "the heap is full before half of the lane is");
      journal.append(record);
      appended++;
    }
    assertTrue(appended < 10_000, "records " + appended);

    assertEquals(
        appended, lane.drain(each -> each.source().onDequeued(each.record()), Integer.MAX_VALUE));
    assertEquals(0, heap.carriedBytes());
    assertFalse(heap.isFull(0));
  }

  @Test
  void shouldNotCountTheSmallest() {
    journal.append(start(Payload.of("x".repeat(200))));
    assertEquals(0, heap.carriedBytes());
  }
}

package dev.pinion.core.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The writer before a log that reports records as durable some time after their commit. */
class JournalWriterTest {
  private static final int EPOCH = 7;

  private long nowNanos;

  private final Lane<KernelJournal.Appended> lane = new Lane<>("journal", 1 << 17);
  private final HeapAccount heap = new HeapAccount(1 << 20);
  private final KernelJournal first = new KernelJournal(lane, () -> true, () -> false, heap);
  private final KernelJournal second = new KernelJournal(lane, () -> true, () -> false, heap);
  private final InMemoryLog log = new InMemoryLog();
  private final List<IOException> failures = new ArrayList<>();
  private final JournalWriter writer =
      new JournalWriter(
          lane,
          List.of(first, second),
          log,
          partition -> EPOCH,
          new RecordCodec(new PayloadCodec(EngineLimits.defaults().json())),
          () -> nowNanos,
          failures::add);

  private static JournalRecord record() {
    return new JournalRecord(
        InstanceId.next(1, 5, null),
        0,
        0,
        0,
        0,
        new Event.Started(new DefinitionKey("n", "d", "1"), 0, Payload.NULL));
  }

  private void append(KernelJournal journal, int records) {
    for (int i = 0; i < records; i++) {
      journal.append(record());
    }
  }

  private void work() {
    writer.doWork(nowNanos, 0);
  }

  @Test
  void shouldSubmitUnderTheEpochOfThePartition() {
    append(first, 1);
    work();

    InMemoryLog.Entry entry = log.entries().getFirst();
    assertEquals(5, entry.partition());
    assertEquals(EPOCH, entry.epoch());
    assertEquals(RecordCodec.START, entry.kind());
  }

  @Test
  void shouldCallNothingDurableBeforeTheLogDoes() {
    append(first, 2);
    work();
    assertEquals(0, first.durable());
    assertFalse(writer.hasWork());

    log.acknowledge();
    assertTrue(writer.hasWork());
    work();
    assertEquals(2, first.durable());
    assertEquals(2, writer.counters().records());
    assertEquals(1, writer.counters().forces());
    assertFalse(writer.hasWork());
  }

  @Test
  void shouldReportEachKernelItsRecordsOfTheGroupsThatAreDurable() {
    append(first, 2);
    append(second, 1);
    work();
    append(second, 3);
    work();

    log.acknowledge(5); // the second group lacks its last record
    work();
    assertEquals(2, first.durable());
    assertEquals(1, second.durable());

    log.acknowledge();
    work();
    assertEquals(2, first.durable());
    assertEquals(4, second.durable());
  }

  @Test
  void shouldWakeTheWriterForRecordsAndForReports() {
    List<String> woken = new ArrayList<>();
    writer.attach(() -> woken.add("writer"));
    append(first, 1);
    assertEquals(List.of("writer"), woken);
    work();

    log.acknowledge();
    assertEquals(List.of("writer", "writer"), woken);
  }

  @Test
  void shouldWakeTheKernelWhenItsRecordsAreDurable() {
    List<String> woken = new ArrayList<>();
    first.setWakeup(() -> woken.add("first"));
    second.setWakeup(() -> woken.add("second"));
    append(second, 1);
    work();
    assertEquals(List.of(), woken);

    log.acknowledge();
    work();
    assertEquals(List.of("second"), woken);
  }

  @Test
  void shouldCommitOnlySoManyGroupsAhead() {
    for (int i = 0; i < JournalWriter.MAX_COMMITTED; i++) {
      append(first, 1);
      work();
    }
    append(first, 1);
    assertFalse(writer.hasWork());
    work();
    assertEquals(JournalWriter.MAX_COMMITTED, log.entries().size());

    log.acknowledge(1);
    assertTrue(writer.hasWork());
    work();
    assertEquals(JournalWriter.MAX_COMMITTED + 1, log.entries().size());
    assertEquals(1, first.durable());
  }

  @Test
  void shouldBoundTheRecordsOfAGroup() {
    append(first, JournalWriter.MAX_GROUP + 1);
    work();
    assertEquals(JournalWriter.MAX_GROUP, log.entries().size());
    assertTrue(writer.hasWork());
    work();
    assertEquals(JournalWriter.MAX_GROUP + 1, log.entries().size());
  }

  @Test
  void shouldWaitForRoomAndLoseNothing() {
    log.full = true;
    append(first, 2);
    work();
    assertTrue(writer.counters().full());
    assertFalse(writer.hasWork());

    log.full = false;
    log.commitsFull = true;
    nowNanos = writer.nextDeadlineNanos();
    work();
    assertEquals(2, log.entries().size());
    assertTrue(writer.counters().full());

    log.commitsFull = false;
    nowNanos = writer.nextDeadlineNanos();
    work();
    assertFalse(writer.counters().full());
    assertEquals(Stage.NO_DEADLINE, writer.nextDeadlineNanos());
    log.acknowledge();
    work();
    assertEquals(2, first.durable());
    assertEquals(List.of(), failures);
  }

  /** The log of another owner refuses records; earlier ones may be reported as durable late. */
  @Test
  void shouldTakeALateReportAndEndWithTheFirstRecordThatIsRefused() {
    append(first, 1);
    work();
    log.fence(EPOCH + 1);
    log.acknowledge();
    work();
    assertEquals(1, first.durable());

    append(first, 1);
    work();
    work();
    assertEquals(1, failures.size());
    assertEquals("expected epoch 8 or later, found 7", failures.getFirst().getMessage());
    assertEquals(1, first.durable());
    assertFalse(writer.hasWork());
  }
}

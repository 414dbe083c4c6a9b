package dev.pinion.core.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.EventSubscriber.EventBatch;
import dev.pinion.core.spi.EventSubscriber.FeedProgress;
import dev.pinion.core.spi.EventSubscriber.FeedStart;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.EventSubscriber.PartitionCursor;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Kernels that are fed by hand. */
class EventFeederTest {
  private EngineLimits limits = EngineLimits.defaults();
  private InMemoryEventLog log = new InMemoryEventLog(limits.events());
  private int ids;

  private void limit(Map<String, Integer> values) {
    limits = EngineLimits.defaults().with(values);
    log = new InMemoryEventLog(limits.events());
  }

  private EventFeeder feeder(FedSubscriber... kernels) {
    return new EventFeeder(
        log,
        List.of(kernels).stream()
            .map(kernel -> new KernelFeed(kernel, EventFeeder.allPartitions()))
            .toList(),
        limits);
  }

  private void append(int count, long nowMillis) throws Exception {
    for (int i = 0; i < count; i++) {
      String event =
          "{\"specversion\":\"1.0\",\"source\":\"/s\",\"type\":\"t\",\"id\":\"" + ids++ + "\"}";
      byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
      Payload read = new PayloadCodec(limits.json()).read(bytes, 0, bytes.length);
      assertInstanceOf(
          EventReceipt.Stored.class,
          log.append("n", new CloudEventReader(limits).read(List.of(read)), nowMillis));
    }
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void shouldFeedNothingBeforeItIsWanted() throws Exception {
    FedSubscriber kernel = new FedSubscriber();
    append(1, 0);
    assertFalse(feeder(kernel).work(0));
    assertEquals(List.of(), kernel.batches);
    assertEquals(1, kernel.end, "the end of the log is told");
  }

  @Test
  void shouldBeginBehindTheLowestCursor() throws Exception {
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 1, 2);
    append(3, 0);
    log.save(
        List.of(
            new EventLog.CursorUpdate(BitSet.valueOf(new long[] {2}), 2),
            new EventLog.CursorUpdate(BitSet.valueOf(new long[] {4}), 1)),
        List.of(),
        0);
    EventFeeder feeder = feeder(kernel);
    assertTrue(feeder.work(0));
    EventBatch first = kernel.batches.getFirst();
    assertEquals(
        new FeedStart(1, 3, List.of(new PartitionCursor(1, 2), new PartitionCursor(2, 1))),
        first.start());
    assertEquals(List.of(2L, 3L), kernel.positions());
    assertNull(kernel.batches.getLast().start());
    assertFalse(feeder.work(0), "nothing new");

    kernel.wanting(2, 3, 1);
    append(1, 0);
    assertTrue(feeder.work(0));
    assertEquals(2, kernel.batches.getLast().epoch());
    assertEquals(List.of(2L, 3L, 3L, 4L), kernel.positions(), "from the cursor of partition 1");
    kernel.wanting(3, 3);
    assertTrue(feeder.work(0));
    assertEquals(List.of(2L, 3L, 3L, 4L, 4L), kernel.positions(), "only behind what it has");
  }

  @Test
  void shouldOfferTheSameAgainToAFullLane() throws Exception {
    FedSubscriber full = new FedSubscriber().wanting(1, -1, 0);
    FedSubscriber other = new FedSubscriber().wanting(1, -1, 0);
    append(600, 0);
    EventFeeder feeder = feeder(full, other);
    full.room = 0;
    assertTrue(feeder.work(0));
    assertEquals(List.of(), full.batches);
    assertEquals(upTo(600), other.positions(), "is not held up by others");
    full.room = 2;
    assertTrue(feeder.work(0));
    assertEquals(upTo(256), full.positions());
    assertTrue(feeder.work(0) || full.room == 0);
    full.room = 10;
    while (feeder.work(0)) {}
    assertEquals(upTo(600), full.positions(), "each once, in order");
    assertEquals(600, full.batches.getLast().upTo());
  }

  @Test
  void shouldLeaveOutWhatNobodyListensTo() throws Exception {
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    kernel.listening = false;
    append(600, 0);
    EventFeeder feeder = feeder(kernel);
    assertTrue(feeder.work(0));
    EventBatch last = kernel.batches.getLast();
    assertTrue(last.isLeftOut());
    assertEquals(600, last.upTo());
    assertEquals(List.of(), kernel.positions());
    assertFalse(feeder.isListening());
    kernel.listening = true;
    append(1, 0);
    assertTrue(feeder.work(0));
    assertEquals(List.of(601L), kernel.positions());
    assertTrue(feeder.isListening());
  }

  @Test
  void shouldStoreCursorsOnceASecond() throws Exception {
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    append(5, 0);
    EventFeeder feeder = feeder(kernel);
    assertTrue(feeder.work(1_000_000));
    kernel.reach(3);
    boolean _ = feeder.work(1_000_999);
    assertEquals(0, log.cursors()[0]);
    boolean _ = feeder.work(1_001_000);
    assertEquals(3, log.cursors()[0]);
    assertEquals(2, log.size(), "all have come past the others");
    kernel.reach(2);
    feeder.save(1_002_000);
    assertEquals(3, log.cursors()[0], "cursors only rise");
  }

  /** Partitions that arrive may come as far as the others were before. */
  @Test
  void shouldStoreThatOtherPartitionsHaveComeAsFar() throws Exception {
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    append(3, 0);
    EventFeeder feeder = feeder(kernel);
    kernel.progress = new FeedProgress(1, 3, BitSet.valueOf(new long[] {1}));
    feeder.save(0);
    assertEquals(3, log.cursors()[0]);
    assertEquals(0, log.cursors()[1]);
    kernel.progress = new FeedProgress(2, 3, BitSet.valueOf(new long[] {3}));
    feeder.save(0);
    assertEquals(3, log.cursors()[1]);
  }

  @Test
  void shouldStoreLaterWhatCouldNotBeStored() throws Exception {
    BrokenLog broken = new BrokenLog(log);
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    EventFeeder feeder =
        new EventFeeder(
            broken, List.of(new KernelFeed(kernel, EventFeeder.allPartitions())), limits);
    append(3, 0);
    assertTrue(feeder.work(0));
    kernel.consumed = new long[] {1, 2};
    kernel.reach(3);
    broken.fails = true;
    assertThrows(IOException.class, () -> feeder.save(0));
    broken.fails = false;
    feeder.save(0);
    assertEquals(3, log.cursors()[0]);
    assertEquals(0, log.size());
    assertEquals(1, log.dropped(), "the others were consumed");
  }

  /** A log that cannot be written at times. */
  private static final class BrokenLog implements EventLog {
    private final InMemoryEventLog log;
    private boolean fails;
    private boolean isUnreadable;

    BrokenLog(InMemoryEventLog log) {
      this.log = log;
    }

    @Override
    public long end() {
      return log.end();
    }

    @Override
    public List<LoggedEvent> read(long after, int most, long mostBytes) throws IOException {
      if (isUnreadable) {
        throw new IOException("the disk fails");
      }
      return log.read(after, most, mostBytes);
    }

    @Override
    public long[] cursors() {
      return log.cursors();
    }

    @Override
    public long before(long epochMillis) {
      return log.before(epochMillis);
    }

    @Override
    public void save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis)
        throws IOException {
      if (fails) {
        throw new IOException("the disk is full");
      }
      log.save(cursors, consumed, nowMillis);
    }

    @Override
    public ConsumedEvents consumed(long mark) {
      return log.consumed(mark);
    }
  }

  @Test
  void shouldTellOthersWhatWasConsumedWhileEventsAreKept() throws Exception {
    limit(Map.of("events.keepMillis", 5_000));
    FedSubscriber one = new FedSubscriber().wanting(1, -1, 0);
    FedSubscriber other = new FedSubscriber().wanting(1, -1, 0);
    other.listening = false;
    append(3, 1_000_000);
    EventFeeder feeder = feeder(one, other);
    assertTrue(feeder.work(1_000_000));
    assertEquals(upTo(3), other.positions(), "kept for those who come");
    one.consumed = new long[] {1, 2};
    one.reach(3);
    other.reach(3);
    feeder.save(1_000_000);
    assertTrue(feeder.work(1_000_000));
    assertEquals(List.of(1L, 2L), other.batches.getLast().consumed());
    assertEquals(3, log.size(), "within their time");
    feeder.save(1_005_000);
    assertEquals(0, log.size());
    assertEquals(1, log.dropped());
  }

  @Test
  void shouldTellLaterWhatWasConsumedWhileTheLogCouldNotBeRead() throws Exception {
    limit(Map.of("events.keepMillis", 5_000));
    BrokenLog broken = new BrokenLog(log);
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    EventFeeder feeder =
        new EventFeeder(
            broken, List.of(new KernelFeed(kernel, EventFeeder.allPartitions())), limits);
    append(3, 1_000_000);
    assertTrue(feeder.work(1_000_000));
    kernel.consumed = new long[] {1, 2};
    feeder.save(1_000_000);
    broken.isUnreadable = true;
    assertThrows(
        IOException.class,
        () -> {
          boolean _ = feeder.work(1_000_001);
        });
    broken.isUnreadable = false;
    assertTrue(feeder.work(1_000_002));
    assertEquals(List.of(1L, 2L), kernel.batches.getLast().consumed());
  }

  @Test
  void shouldForgetEventsAlthoughTheClockWasSetBack() throws Exception {
    append(1, 2_000_000);
    List<EventLog.CursorUpdate> all =
        List.of(new EventLog.CursorUpdate(EventFeeder.allPartitions(), 2));
    log.save(all, List.of(), 1_000_000);
    assertEquals(0, log.size(), "nobody waits for them");
    limit(Map.of("events.keepMillis", 5_000));
    append(1, 2_000_000);
    append(1, 1_000_000);
    log.save(all, List.of(), 1_005_000);
    assertEquals(1, log.size(), "that of the time before");
  }

  @Test
  void shouldGoBackToWhatIsStillKept() throws Exception {
    limit(Map.of("events.keepMillis", 5_000));
    append(1, 1_000_000);
    append(2, 1_003_000);
    FedSubscriber kernel = new FedSubscriber().wanting(1, -1, 0);
    log.save(
        List.of(new EventLog.CursorUpdate(EventFeeder.allPartitions(), 3)), List.of(), 1_003_000);
    assertTrue(feeder(kernel).work(1_006_000));
    assertEquals(1, Objects.requireNonNull(kernel.batches.getFirst().start()).after());
    assertEquals(List.of(2L, 3L), kernel.positions());
  }
}

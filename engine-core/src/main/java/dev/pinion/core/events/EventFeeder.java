package dev.pinion.core.events;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.EventSubscriber;
import dev.pinion.core.spi.EventSubscriber.EventBatch;
import dev.pinion.core.spi.EventSubscriber.FeedProgress;
import dev.pinion.core.spi.EventSubscriber.FeedRequest;
import dev.pinion.core.spi.EventSubscriber.FeedStart;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.EventSubscriber.PartitionCursor;
import dev.pinion.core.spi.ExternalEvents.KernelFeed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the kernels of a replica from the log of events, and stores how far they have come. A
 * kernel without room is offered the same events again later; nothing is left out that an instance
 * may listen to. Used by one thread at a time.
 *
 * <pre>
 *   log ──▶ batches ──▶ kernels ──▶ positions that are handled, durably ──▶ cursors in the log
 * </pre>
 */
public final class EventFeeder {
  private static final int MAX_EVENTS = 256;

  /** Batches for one kernel before others, and those who post events, have their turn. */
  private static final int MAX_BATCHES = 8;

  /** Bytes of JSON behind which a batch takes no more events. */
  private static final long MAX_BYTES = 1 << 18;

  /** Time between two updates of the cursors. */
  private static final long SAVE_MILLIS = 1_000;

  private final EventLog log;
  private final List<Feed> feeds;
  private final long keepMillis;
  private final long saveMillis;

  /** Positions of consumed events that are not stored yet, as pairs of first and last. */
  private final List<Long> unsaved = new ArrayList<>();

  private List<LoggedEvent> lastRead = List.of();
  private long lastReadAfter = -1;
  private long consumedMark;
  private long savedAtMillis = Long.MIN_VALUE;

  /** One kernel. */
  private static final class Feed {
    private final EventSubscriber subscriber;
    private final BitSet partitions;
    private final List<Long> consumed = new ArrayList<>();
    private int epoch;
    private long after;
    private @Nullable EventBatch pending;

    /** What is stored of its progress; null for nothing. */
    private @Nullable FeedProgress saved;

    Feed(KernelFeed kernel) {
      this.subscriber = kernel.subscriber();
      this.partitions = (BitSet) kernel.partitions().clone();
    }

    /** Offers a batch, perhaps one that found no room before; returns whether there was room. */
    boolean offer(EventBatch batch) {
      pending = batch;
      if (!subscriber.offer(batch)) {
        return false;
      }
      pending = null;
      after = batch.upTo();
      return true;
    }

    List<Long> takeConsumed() {
      List<Long> taken = List.copyOf(consumed);
      consumed.clear();
      return taken;
    }
  }

  /** A feeder of kernels that have been fed nothing yet. */
  public EventFeeder(EventLog log, List<KernelFeed> kernels, EngineLimits limits) {
    this.log = log;
    this.feeds = kernels.stream().map(Feed::new).toList();
    this.keepMillis = limits.events().keepMillis();
    this.saveMillis =
        keepMillis > 0 ? Math.min(SAVE_MILLIS, limits.events().pollMillis()) : SAVE_MILLIS;
  }

  /** Tells kernels the last position. Before it is acknowledged. */
  public void tellEnd(long end) {
    for (Feed feed : feeds) {
      feed.subscriber.logEnd(end);
    }
  }

  /**
   * Feeds all kernels as far as there is room.
   *
   * @return whether any was fed
   */
  public boolean work(long nowMillis) throws IOException {
    long end = log.end();
    tellEnd(end);
    boolean fed = false;
    for (Feed feed : feeds) {
      fed |= feed(feed, end, nowMillis);
    }
    if (savedAtMillis == Long.MIN_VALUE || Math.abs(nowMillis - savedAtMillis) >= saveMillis) {
      savedAtMillis = nowMillis;
      save(nowMillis);
    }
    return fed;
  }

  private boolean feed(Feed feed, long end, long nowMillis) throws IOException {
    FeedRequest wanted = feed.subscriber.wanted();
    if (wanted.epoch() == 0) {
      return false;
    }
    boolean begins = feed.epoch != wanted.epoch();
    if (begins && !begin(feed, wanted, end, nowMillis)) {
      return false;
    }
    EventBatch kept = feed.pending;
    if (kept != null && !feed.offer(kept)) {
      return begins;
    }
    int batches = kept == null ? 0 : 1;
    while (batches < MAX_BATCHES
        && (feed.after < end || !feed.consumed.isEmpty())
        && feed.offer(next(feed, end))) {
      batches++;
    }
    return begins || batches > 0;
  }

  /** Begins an epoch; returns whether there was room. */
  private boolean begin(Feed feed, FeedRequest wanted, long end, long nowMillis)
      throws IOException {
    long[] cursors = log.cursors();
    List<PartitionCursor> told = new ArrayList<>();
    long after = wanted.after() < 0 ? end : wanted.after();
    for (int partition = feed.partitions.nextSetBit(0);
        partition >= 0;
        partition = feed.partitions.nextSetBit(partition + 1)) {
      if (wanted.partitions().get(partition)) {
        told.add(new PartitionCursor(partition, cursors[partition]));
        after = Math.min(after, cursors[partition]);
      }
    }
    if (keepMillis > 0) {
      after = Math.min(after, log.before(nowMillis - keepMillis));
    }
    EventBatch first =
        new EventBatch(
            wanted.epoch(), new FeedStart(after, end, told), after, List.of(), false, List.of());
    feed.pending = null;
    forgetRead();
    if (!feed.offer(first)) {
      feed.pending = null; // begun anew
      return false;
    }
    feed.epoch = wanted.epoch();
    return true;
  }

  private EventBatch next(Feed feed, long end) throws IOException {
    if (!feed.subscriber.listens() && keepMillis == 0) {
      boolean isLeftOut = feed.after < end;
      return new EventBatch(feed.epoch, null, end, List.of(), isLeftOut, feed.takeConsumed());
    }
    List<LoggedEvent> events = read(feed.after); // may fail, with nothing taken yet
    long upTo = Math.max(events.isEmpty() ? end : events.getLast().position(), feed.after);
    return new EventBatch(feed.epoch, null, upTo, events, false, feed.takeConsumed());
  }

  private List<LoggedEvent> read(long after) throws IOException {
    if (lastReadAfter != after || lastRead.isEmpty()) {
      lastRead = List.of();
      lastRead = log.read(after, MAX_EVENTS, MAX_BYTES);
      lastReadAfter = after;
    }
    return lastRead;
  }

  /** Has events be read again: by now more of them may be consumed. */
  private void forgetRead() {
    lastRead = List.of();
  }

  /** Stores how far the kernels have come. After a failure all of it is stored later. */
  public void save(long nowMillis) throws IOException {
    List<EventLog.CursorUpdate> cursors = new ArrayList<>();
    Map<Feed, FeedProgress> fresh = new LinkedHashMap<>();
    for (Feed feed : feeds) {
      FeedProgress progress = feed.subscriber.progress();
      for (long position : feed.subscriber.takeConsumed()) {
        unsaved.add(position);
      }
      if (progress != null && !progress.equals(feed.saved)) { // or other partitions came as far
        BitSet partitions = (BitSet) progress.partitions().clone();
        partitions.and(feed.partitions);
        cursors.add(new EventLog.CursorUpdate(partitions, progress.position()));
        fresh.put(feed, progress);
      }
    }
    log.save(cursors, List.copyOf(unsaved), nowMillis);
    unsaved.clear();
    fresh.forEach((feed, progress) -> feed.saved = progress);
    if (keepMillis > 0) {
      EventLog.ConsumedEvents all = log.consumed(consumedMark);
      consumedMark = all.mark();
      feeds.forEach(feed -> feed.consumed.addAll(all.pairs()));
      if (!all.pairs().isEmpty()) {
        forgetRead();
      }
    }
  }

  /** Whether any kernel has instances that listen. */
  public boolean isListening() {
    return feeds.stream().anyMatch(feed -> feed.subscriber.listens());
  }

  /** All partitions that kernels may own. */
  static BitSet allPartitions() {
    BitSet all = new BitSet(InstanceId.MAX_PARTITIONS);
    all.set(0, InstanceId.MAX_PARTITIONS);
    return all;
  }
}

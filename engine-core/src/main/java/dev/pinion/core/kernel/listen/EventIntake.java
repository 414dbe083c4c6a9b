package dev.pinion.core.kernel.listen;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.EventSubscriber;
import dev.pinion.core.stage.Lane;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's end of the feed of events: its lane, the position up to which the kernel has handled
 * them, and that up to which its records of this are durable.
 *
 * <p>Partitions that arrive begin at the cursor of their former owner. So there is a position for
 * each, behind which events concern its instances; what lies before it was handled.
 */
public final class EventIntake implements EventSubscriber {
  /** Batches that wait. */
  private static final int WAITING_BATCHES = 2;

  /** Position of a partition that is not here, or whose cursor is not known yet. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  private static final long[] NONE = {};

  private final Lane<EventBatch> lane;
  private final Journal journal;
  private final long[] handled = new long[InstanceId.MAX_PARTITIONS];
  private final BitSet served = new BitSet();
  private final BitSet unknown = new BitSet();
  private final Deque<Checkpoint> checkpoints = new ArrayDeque<>();
  private final PositionRanges consumed = new PositionRanges();
  private final PositionRanges reportable = new PositionRanges();
  private volatile Runnable wakeup = () -> {};
  private volatile FeedRequest wanted = FeedRequest.NONE;
  private volatile boolean listens;
  private volatile long logEnd = Listener.RESTORED;
  private volatile @Nullable FeedProgress progress;

  /** Positions for the feeder to take; null when it has taken them. */
  private volatile long @Nullable [] report;

  private long position = -1;
  private long durable = -1;
  private long epochEnd;
  private boolean begun;

  /**
   * A position, the events that were consumed on the way to it, and the records that must be
   * durable before this counts.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Checkpoint(long position, long[] consumed, long records) {}

  /**
   * An intake that has been fed nothing.
   *
   * @param kernel index of the kernel, for the name of its lane
   */
  public EventIntake(int kernel, Journal journal) {
    this.lane = new Lane<>("events-" + kernel, WAITING_BATCHES);
    this.journal = journal;
    served.set(0, InstanceId.MAX_PARTITIONS);
    unknown.or(served);
    Arrays.fill(handled, UNKNOWN);
  }

  /** Lane of batches, of which the kernel is the reader. */
  public Lane<EventBatch> lane() {
    return lane;
  }

  @Override
  public void attach(Runnable then) {
    wakeup = then;
  }

  @Override
  public FeedRequest wanted() {
    return wanted;
  }

  @Override
  public boolean listens() {
    return listens;
  }

  @Override
  public boolean offer(EventBatch batch) {
    return lane.offer(batch);
  }

  @Override
  public void logEnd(long last) {
    logEnd = last;
  }

  @Override
  public @Nullable FeedProgress progress() {
    return progress;
  }

  @Override
  public long[] takeConsumed() {
    long[] taken = report;
    if (taken == null) {
      return NONE;
    }
    report = null;
    return taken;
  }

  /** Sets whether any instance listens. Kernel thread only, as are the methods below. */
  void listens(boolean now) {
    if (listens != now) {
      listens = now;
      if (now) {
        wakeup.run();
      }
    }
  }

  /** Number of the present epoch. */
  int epoch() {
    return wanted.epoch();
  }

  /** Begins the first epoch, if none has begun. */
  void ensureWanted() {
    if (wanted.epoch() == 0) {
      request();
    }
  }

  /** Begins another epoch, behind what is handled so far. */
  void request() {
    begun = false;
    progress = null;
    BitSet partitions = (BitSet) unknown.clone();
    wanted = new FeedRequest(wanted.epoch() + 1, position, partitions);
    wakeup.run();
  }

  /** Removes partitions, of which the kernel handles nothing any more. */
  public void release(BitSet partitions) {
    served.andNot(partitions);
    unknown.andNot(partitions);
    partitions.stream().forEach(partition -> handled[partition] = UNKNOWN);
    publish();
  }

  /** Adds partitions, whose events come behind the cursors of their former owner. */
  public void acquire(BitSet partitions) {
    served.or(partitions);
    unknown.or(partitions);
    if (wanted.epoch() != 0) {
      request();
    }
  }

  /** Excludes partitions that are not here at first. */
  public void exclude(BitSet partitions) {
    served.andNot(partitions);
    unknown.andNot(partitions);
  }

  /** The next batch of the present epoch; null for none. */
  @Nullable EventBatch poll() {
    for (EventBatch batch = lane.poll(); batch != null; batch = lane.poll()) {
      if (lane.isEmpty()) {
        wakeup.run();
      }
      if (batch.epoch() == wanted.epoch() && begins(batch)) {
        return batch;
      }
    }
    return null;
  }

  private boolean begins(EventBatch batch) {
    FeedStart start = batch.start();
    if (start != null) {
      served.stream()
          .filter(partition -> !unknown.get(partition))
          .forEach(partition -> handled[partition] = Math.max(handled[partition], position));
      for (PartitionCursor cursor : start.cursors()) {
        if (unknown.get(cursor.partition())) {
          handled[cursor.partition()] = cursor.position();
          unknown.clear(cursor.partition());
        }
      }
      position = start.after();
      durable = Math.min(durable < 0 ? position : durable, position);
      epochEnd = start.end();
      checkpoints.forEach(each -> consumed.addAll(each.consumed));
      checkpoints.clear();
      begun = true;
    }
    return begun;
  }

  /** Whether an event concerns the instances of a partition. */
  boolean concerns(int partition, long at) {
    return at > handled[partition];
  }

  /** Position up to which no event concerns the instances of a partition any more. */
  long passed(int partition) {
    long own = handled[partition];
    return own == UNKNOWN ? position : Math.max(own, position);
  }

  /**
   * The same for a partition whose events before that have been compared as well; negative when it
   * is not known which have been.
   */
  long comparedUpTo(int partition) {
    long own = handled[partition];
    return own == UNKNOWN ? -1 : Math.max(own, position);
  }

  /** Last position of the log when the present epoch began. */
  long epochEnd() {
    return epochEnd;
  }

  /** Last position of the log that is known here; {@link Listener#RESTORED} before any is. */
  long knownEnd() {
    return begun ? Math.max(logEnd, position) : logEnd;
  }

  /** Position up to which everything is handled; negative before the first epoch. */
  long position() {
    return position;
  }

  /** Records that everything up to a position is handled, and its records are appended. */
  void handled(long upTo) {
    position = upTo;
  }

  /** Records that an event was consumed. */
  void consumed(long at) {
    consumed.add(at);
  }

  /** Publishes how far the kernel has come; returns whether that has changed. */
  boolean checkpoint() {
    long last = checkpoints.isEmpty() ? durable : checkpoints.getLast().position;
    if (begun && (last != position || consumed.isPresent())) {
      checkpoints.add(new Checkpoint(position, consumed.take(), journal.appended()));
    }
    boolean changed = false;
    long records = journal.durable();
    for (Checkpoint next = checkpoints.peek();
        next != null && next.records <= records;
        next = checkpoints.peek()) {
      checkpoints.remove();
      changed |= durable != next.position;
      durable = next.position;
      reportable.addAll(next.consumed);
    }
    if (reportable.isPresent() && report == null) {
      report = reportable.take();
    }
    if (begun && (changed || progress == null)) {
      publish();
    }
    return changed;
  }

  private void publish() {
    if (begun && durable >= 0) {
      progress = new FeedProgress(wanted.epoch(), durable, (BitSet) served.clone());
    }
  }
}

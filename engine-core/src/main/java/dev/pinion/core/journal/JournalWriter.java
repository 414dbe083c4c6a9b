package dev.pinion.core.journal;

import dev.pinion.core.journal.store.JournalFullException;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that writes records to the log: the safe-store writer of the lean business tier, beside
 * the path of requests.
 *
 * <pre>
 *   kernels ──records──▶ encode, submit, submit … commit ──▶ durable counts back to the kernels
 * </pre>
 *
 * <p>Group commit: all records that wait when a commit begins share it, and while it runs the next
 * group gathers. So a single record is committed at once, and the more there are at a time the
 * fewer forces each of them takes; nothing ever waits for company.
 *
 * <p>Unlike other stages this one may wait for the disk in its duty cycle; it has a separate event
 * loop. A full disk makes it wait until there is room; nothing is lost. The first other failure
 * ends it: nothing is acknowledged any more, the failure is reported once, and the replica has to
 * end.
 */
public final class JournalWriter implements Stage {
  private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

  /** Time between attempts to continue when the disk is full. */
  private static final long RETRY_NANOS = 100_000_000;

  /** Most records that share a commit, so that the first of them does not wait for ever. */
  static final int MAX_GROUP = 8_192;

  /** Most groups that are committed and not durable yet. */
  static final int MAX_COMMITTED = 8;

  private final Lane<KernelJournal.Appended> lane;
  private final DurableLog log;
  private final IntUnaryOperator epochs;
  private final RecordCodec codec;
  private final LongSupplier nanoClock;
  private final Consumer<IOException> onFailure;
  private final JournalCounters counters = new JournalCounters();
  private final List<KernelJournal> sources;

  /** Groups that are committed and not durable yet, in order. */
  private final Deque<CommitTally> committed = new ArrayDeque<>();

  /** Groups for reuse. */
  private final Deque<CommitTally> free = new ArrayDeque<>();

  /** A record that was taken from the lane but found no room in the log; null for none. */
  private KernelJournal.@Nullable Appended blocked;

  /** The records submitted since the last commit. */
  private CommitTally gathering;

  private long retryNanos = NO_DEADLINE;
  private boolean failed;

  /**
   * A writer.
   *
   * @param lane lane of the appended records
   * @param sources every kernel's end of the lane
   * @param log keeps the encoded records
   * @param epochs returns the epoch of a partition in this log
   * @param codec encoder of the records
   * @param nanoClock monotonic time in nanoseconds, which measures forces
   * @param onFailure receives the first failure, on the writer's thread
   */
  public JournalWriter(
      Lane<KernelJournal.Appended> lane,
      List<KernelJournal> sources,
      DurableLog log,
      IntUnaryOperator epochs,
      RecordCodec codec,
      LongSupplier nanoClock,
      Consumer<IOException> onFailure) {
    this.lane = lane;
    this.sources = List.copyOf(sources);
    this.log = log;
    this.epochs = epochs;
    this.codec = codec;
    this.nanoClock = nanoClock;
    this.onFailure = onFailure;
    this.gathering = new CommitTally(this.sources);
  }

  /** Sets the wake-up of the writer's thread. Call before a record is appended. */
  public void attach(Wakeup wakeup) {
    lane.attach(wakeup);
    log.attach(wakeup);
  }

  /** Counters of written records. Any thread. */
  public JournalCounters counters() {
    return counters;
  }

  @Override
  public String role() {
    return "journal";
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    if (failed || (retryNanos != NO_DEADLINE && nowNanos < retryNanos)) {
      return 0;
    }
    retryNanos = NO_DEADLINE;
    try {
      publishDurable();
      JournalFullException shortage = gather();
      int group = commit();
      publishDurable();
      if (shortage != null) {
        onFull(shortage, nowNanos);
      }
      return group;
    } catch (JournalFullException e) {
      onFull(e, nowNanos);
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(new IOException("expected to write the journal, but the engine failed: " + e, e));
    }
    return 0;
  }

  /** Submits the waiting records; returns why some are left, or null. */
  private @Nullable JournalFullException gather() throws IOException {
    try {
      while (mayGather() && hasNext()) {
        submit(Objects.requireNonNull(blocked));
        blocked = null;
      }
      return null;
    } catch (JournalFullException e) {
      return e;
    }
  }

  private boolean mayGather() {
    return gathering.size() < MAX_GROUP && committed.size() < MAX_COMMITTED;
  }

  /** Takes the next record from the lane, unless a taken one is not submitted yet. */
  private boolean hasNext() {
    if (blocked == null) {
      blocked = lane.poll();
    }
    return blocked != null;
  }

  private int commit() throws IOException {
    int group = gathering.size();
    if (group > 0) {
      gathering.commit(nanoClock.getAsLong());
      log.commit();
      committed.add(gathering);
      CommitTally next = free.poll();
      gathering = next == null ? new CommitTally(sources) : next;
      counters.onRoom();
    }
    return group;
  }

  /** Reports the groups that are durable to their kernels. */
  private void publishDurable() {
    for (CommitTally next = committed.peek(); isDurable(next); next = committed.peek()) {
      committed.remove();
      counters.onForce(next.size(), nanoClock.getAsLong() - next.committedNanos());
      next.publish();
      free.add(next);
    }
  }

  private boolean isDurable(@Nullable CommitTally group) {
    return group != null && group.lastPosition() <= log.durable();
  }

  private void onFull(JournalFullException shortage, long nowNanos) {
    if (counters.onFull()) {
      LOG.warn(
          "the journal cannot continue for now: acknowledged records are safe, the rest waits: {}",
          shortage.getMessage());
    }
    retryNanos = nowNanos + RETRY_NANOS;
  }

  @Override
  public boolean hasWork() {
    return !failed && retryNanos == NO_DEADLINE && (hasRecords() || isDurable(committed.peek()));
  }

  private boolean hasRecords() {
    return mayGather() && (blocked != null || !lane.isEmpty());
  }

  @Override
  public long nextDeadlineNanos() {
    return retryNanos;
  }

  /** Writes the remaining records of the kernels, as far as there is room. */
  @Override
  public void onClose() {
    retryNanos = NO_DEADLINE;
    while (hasWork()) {
      doWork(0, 0);
    }
  }

  private void submit(KernelJournal.Appended appended) throws IOException {
    RecordCodec.Encoded encoded = codec.encode(appended.record());
    int partition = appended.record().id().partition();
    long position =
        log.submit(partition, epochs.applyAsInt(partition), encoded.kind(), encoded.payload());
    appended.source().onDequeued(appended.record());
    counters.onRecord(encoded.payload().limit());
    gathering.add(appended.source(), position);
  }

  private void fail(IOException failure) {
    failed = true;
    onFailure.accept(failure);
  }
}

package dev.pinion.core.journal;

import dev.pinion.core.journal.store.JournalFullException;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that writes records to disk: the safe-store writer of the lean business tier, beside
 * the path of requests.
 *
 * <pre>
 *   kernels ──records──▶ encode, append, append … force ──▶ durable counts back to the kernels
 * </pre>
 *
 * <p>Group commit: all records that wait when a force begins share it, and while it runs the next
 * group gathers. So a single record is forced at once, and the more there are at a time the fewer
 * forces each of them takes; nothing ever waits for company.
 *
 * <p>Unlike other stages this one waits for the disk in its duty cycle; it has a separate event
 * loop. A full disk makes it wait until there is room; nothing is lost. The first other failure
 * ends it: nothing is acknowledged any more, the failure is reported once, and the replica has to
 * end.
 */
public final class JournalWriter implements Stage {
  private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

  /** Time between attempts to continue when the disk is full. */
  private static final long RETRY_NANOS = 100_000_000;

  /** Most records that share a force, so that the first of them does not wait for ever. */
  private static final int MAX_GROUP = 8_192;

  private final Lane<KernelJournal.Appended> lane;
  private final RecordSink sink;
  private final RecordCodec codec;
  private final LongSupplier nanoClock;
  private final Consumer<IOException> onFailure;
  private final JournalCounters counters = new JournalCounters();
  private final List<CommitGroup> groups = new ArrayList<>();

  /** A record that was taken from the lane but found no room on the disk; null for none. */
  private KernelJournal.@Nullable Appended blocked;

  private int unforced;
  private long retryNanos = NO_DEADLINE;
  private boolean failed;

  /** Records of one kernel that share the present force. */
  private static final class CommitGroup {
    final KernelJournal source;
    int records;

    CommitGroup(KernelJournal source) {
      this.source = source;
    }
  }

  /**
   * A writer.
   *
   * @param lane lane of the appended records
   * @param sources every kernel's end of the lane
   * @param sink receiver of encoded records
   * @param codec encoder of the records
   * @param nanoClock monotonic time in nanoseconds, which measures forces
   * @param onFailure receives the first failure, on the writer's thread
   */
  public JournalWriter(
      Lane<KernelJournal.Appended> lane,
      List<KernelJournal> sources,
      RecordSink sink,
      RecordCodec codec,
      LongSupplier nanoClock,
      Consumer<IOException> onFailure) {
    this.lane = lane;
    this.sink = sink;
    this.codec = codec;
    this.nanoClock = nanoClock;
    this.onFailure = onFailure;
    for (KernelJournal source : sources) {
      groups.add(new CommitGroup(source));
    }
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
      JournalFullException shortage = gather();
      int group = force();
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

  /** Appends the waiting records; returns why some are left, or null. */
  private @Nullable JournalFullException gather() throws IOException {
    try {
      while (unforced < MAX_GROUP && hasNext()) {
        append(Objects.requireNonNull(blocked));
        blocked = null;
      }
      return null;
    } catch (JournalFullException e) {
      return e;
    }
  }

  /** Takes the next record from the lane, unless a taken one is not appended yet. */
  private boolean hasNext() {
    if (blocked == null) {
      blocked = lane.poll();
    }
    return blocked != null;
  }

  private int force() throws IOException {
    int group = unforced;
    if (group > 0) {
      long beganNanos = nanoClock.getAsLong();
      sink.force();
      counters.onForce(group, nanoClock.getAsLong() - beganNanos);
      unforced = 0;
      publish();
      counters.onRoom();
    }
    return group;
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
    return !failed && retryNanos == NO_DEADLINE && (blocked != null || !lane.isEmpty());
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

  private void append(KernelJournal.Appended appended) throws IOException {
    RecordCodec.Encoded encoded = codec.encode(appended.record());
    sink.append(appended.record().id().partition(), encoded.kind(), encoded.payload());
    appended.source().onDequeued(appended.record());
    counters.onRecord(encoded.payload().limit());
    groupOf(appended.source()).records++;
    unforced++;
  }

  private CommitGroup groupOf(KernelJournal source) {
    for (CommitGroup commitGroup : groups) {
      if (commitGroup.source == source) {
        return commitGroup;
      }
    }
    throw new IllegalStateException("expected a record of one of the writer's kernels");
  }

  private void publish() {
    for (CommitGroup commitGroup : groups) {
      if (commitGroup.records > 0) {
        commitGroup.source.forced(commitGroup.records);
        commitGroup.records = 0;
      }
    }
  }

  private void fail(IOException failure) {
    failed = true;
    onFailure.accept(failure);
  }
}

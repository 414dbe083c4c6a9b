package dev.pinion.bootstrap.history;

import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.recovery.JournalFollower;
import dev.pinion.core.spi.InstanceObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one journal into the history, from its last position on. Used by one thread.
 *
 * <p>Records stay in memory until they are written; no more are read before. So a missing database
 * costs no more than a batch, and reading continues when the database is back, or at the next
 * snapshot if records were deleted meanwhile.
 */
final class JournalConsumer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalConsumer.class);

  /** Time after which the history confirms again that it is up to date. */
  static final long MAX_SILENCE_MILLIS = 5_000;

  private static final String TOO_LARGE =
      "the process of the history failed "
          + CrashMark.MAX_FAILURES
          + " times while it read it: it does not fit into its memory (--history-heap)";

  private static final String CANNOT_FOLLOW = "its records cannot be followed: ";

  private final String name;
  private final JournalFollower.FollowerSettings followerSettings;
  private final HistoryWriter writer;
  private final HistoryLimits limits;
  private final Clock clock;
  private final Set<Long> skippedInstances = new HashSet<>();
  private final Path folder;
  private final Runnable progress;
  private final boolean afterFailure;
  private final ChangeBatch changeBatch;

  /** Retractions of earlier changes, until they are written. */
  private final List<HistoryChange> corrections = new ArrayList<>();

  private @Nullable CrashMark mark;
  private @Nullable SkippedInstances tooLarge;
  private @Nullable JournalFollower follower;
  private final HistoryWatermark historyWatermark;
  private String journal = "";

  /** Last record whose effects are in the history; -1 while unknown. */
  private volatile long written = -1;

  private long sureFrom;
  private long writtenAtMillis;

  /**
   * A journal that is unread yet.
   *
   * @param name name of its folder
   * @param folder folder for the state of reading
   * @param progress run after each step of reading
   * @param afterFailure whether the previous process failed by itself
   */
  JournalConsumer(
      String name,
      Path folder,
      JournalFollower.FollowerSettings followerSettings,
      HistoryWriter writer,
      HistoryLimits limits,
      Runnable progress,
      boolean afterFailure) {
    this.name = name;
    this.afterFailure = afterFailure;
    this.progress = progress;
    this.folder = folder;
    this.followerSettings = followerSettings;
    this.writer = writer;
    this.limits = limits;
    this.changeBatch = new ChangeBatch(limits.batchBytes());
    this.clock = followerSettings.clock();
    this.historyWatermark = new HistoryWatermark(clock.nanoTime());
  }

  /** Records on disk that are not in the history, checked now; -1 while unknown. For any thread. */
  long lag() {
    long known = written;
    try {
      long durable = JournalFollower.durable(followerSettings.storage());
      return known < 0 ? -1 : Math.max(0, durable - known);
    } catch (LogFollower.NotMadeYetException e) {
      return 0; // it is under construction
    } catch (IOException e) {
      return -1;
    }
  }

  /**
   * Processes a batch.
   *
   * @return number of records read
   * @throws SQLException when the database failed; call again to continue
   * @throws IOException when the journal cannot be read; call again to start again
   */
  int consume() throws SQLException, IOException {
    try {
      return goOn();
    } catch (SQLException | IOException | RuntimeException e) {
      CrashMark here = mark;
      if (here != null) {
        here.paused();
      }
      throw e;
    }
  }

  private int goOn() throws SQLException, IOException {
    JournalFollower open = follower;
    if (open == null) {
      open = openJournal();
    }
    int read = 0;
    if (changeBatch.isEmpty()) {
      read = read(open);
    }
    write(open);
    rest(read);
    return read;
  }

  private void rest(int read) {
    CrashMark here = mark;
    if (here != null) {
      here.committed();
      if (read == 0) {
        here.reset();
      }
    }
  }

  /**
   * Whether the process has ended while it read this journal: reading then proceeds in small steps.
   */
  boolean isCareful() {
    CrashMark here = mark;
    return here != null && here.ends() > 0;
  }

  /** Reason for slow reading; null for none. */
  @Nullable String trouble() {
    CrashMark here = mark;
    return here == null || here.failures() == 0
        ? null
        : "the process of the history failed "
            + here.failures()
            + " times while it read instance "
            + new InstanceId(here.failedAt())
            + " of journal "
            + name
            + "; it reads record by record, and passes that instance over when it fails there "
            + CrashMark.MAX_FAILURES
            + " times; a larger --history-heap may help";
  }

  /** Number of instances that are left out because they do not fit into the process. */
  int skippedInstances() {
    SkippedInstances left = tooLarge;
    return left == null ? 0 : left.ids().size();
  }

  /** Carries a failure of the database out of the reading of a journal. */
  private static final class WriteFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient SQLException failure;

    WriteFailedException(SQLException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private int read(JournalFollower open) throws SQLException, IOException {
    try {
      long nowNanos = clock.nanoTime();
      long now = clock.epochMillis();
      int read =
          isCareful() ? open.poll(1, 1) : open.poll(limits.batchRecords(), limits.batchBytes());
      historyWatermark.observed(nowNanos, now, open.durable());
      return read;
    } catch (JournalFollower.JournalContradictionException e) {
      contradicted(e);
      throw e;
    } catch (WriteFailedException e) {
      stop();
      throw e.failure;
    } catch (IOException | RuntimeException e) {
      stop();
      throw e;
    }
  }

  private void add(HistoryChange historyChange) {
    changeBatch.add(historyChange);
    if (historyChange instanceof HistoryChange.EventRecorded eventRecorded) {
      reads(
          eventRecorded.event().id().value()); // the running instance need not be the last one read
    }
    if (changeBatch.isFull()) {
      writeAhead();
    }
  }

  /**
   * Writes the changes of records that are being read, to free their memory. The position of the
   * history stays: after a failure the same changes are written again, without effect.
   */
  private void writeAhead() {
    try {
      writer.write(changeBatch.changes(), null);
      changeBatch.clear();
      corrections.clear();
      progress.run();
    } catch (SQLException e) {
      throw new WriteFailedException(e);
    }
  }

  private void write(JournalFollower open) throws SQLException {
    long now = clock.epochMillis();
    if (changeBatch.isEmpty()
        && open.settled() <= written
        && now - writtenAtMillis < MAX_SILENCE_MILLIS) {
      return;
    }
    long position = Math.max(written, open.settled());
    writer.write(
        changeBatch.changes(),
        new HistoryWriter.ConsumerPosition(
            journal, name, position, open.durable(), historyWatermark.millisAt(position)));
    changeBatch.clear();
    corrections.clear();
    written = position;
    writtenAtMillis = now;
    logFollowed(open);
  }

  /** Only retention and the refusal of starts depend on it. */
  private void logFollowed(JournalFollower open) {
    try {
      open.followed(written);
    } catch (IOException e) {
      LOG.debug("journal {} was not notified of the history's progress", name, e);
    }
  }

  private void reads(long instance) {
    progress.run();
    CrashMark here = mark;
    if (here != null) {
      here.started(instance);
    }
  }

  /** Learns from the ends of its predecessors. */
  private void learn() throws IOException {
    if (mark != null) {
      return;
    }
    SkippedInstances left = SkippedInstances.read(folder.resolve("passed-over-" + name));
    CrashMark here = CrashMark.open(folder.resolve("reading-" + name), afterFailure);
    if (here.isOverLimit()) {
      InstanceId id = new InstanceId(here.failedAt());
      LOG.error(
          "history of journal {}: passes over instance {}, {}; see {}",
          name,
          id,
          TOO_LARGE,
          folder.resolve("passed-over-" + name));
      left.add(id, TOO_LARGE, Instant.ofEpochMilli(clock.epochMillis()));
      here.reset();
    } else if (here.ends() > 0) {
      LOG.warn(
          "history of journal {}: the process ended while it read; it goes in small steps", name);
    }
    skippedInstances.addAll(left.ids());
    tooLarge = left;
    mark = here;
  }

  private JournalFollower openJournal() throws SQLException, IOException {
    learn();
    journal = JournalFollower.identity(followerSettings.storage()).toString();
    written = writer.position(journal);
    corrections.forEach(changeBatch::add);
    RecordObserver hearing = new RecordObserver();
    JournalFollower open = open(hearing);
    follower = open;
    hearing.begins = false;
    if (Math.max(open.base(), open.snapshotEnd()) > written) {
      changeBatch.add(
          new HistoryChange.RecordsLost(open.partitions(), hearing.present, open.base()));
      if (written > 0) {
        LOG.warn(
            "history of journal {}: expected the records after {}, found the oldest after {}; the"
                + " events between them are marked as a gap",
            name,
            written,
            open.base());
      }
    }
    hearing.present = new LongHashSet();
    for (long id : Objects.requireNonNull(tooLarge).ids()) {
      changeBatch.add(
          new HistoryChange.InstanceSkipped(new InstanceId(id), Long.MAX_VALUE, TOO_LARGE));
    }
    return open;
  }

  private JournalFollower open(RecordObserver hearing) throws SQLException, IOException {
    try {
      return new JournalFollower(
          followerSettings,
          new JournalFollower.FollowerStart(written, sureFrom, skippedInstances, this::reads),
          hearing);
    } catch (WriteFailedException e) {
      changeBatch.clear();
      throw e.failure;
    } catch (IOException | RuntimeException e) {
      changeBatch.clear();
      throw e;
    }
  }

  /** The first time, changes reported ahead were wrong; the second time, the records are. */
  private void contradicted(JournalFollower.JournalContradictionException found) {
    boolean again = sureFrom >= found.position();
    stop();
    if (again) {
      LOG.error("history of journal {}: gives up instance {}", name, found.instance(), found);
      skippedInstances.add(found.instance().value());
      corrections.add(
          new HistoryChange.InstanceSkipped(
              found.instance(), found.sequence(), CANNOT_FOLLOW + found.getMessage()));
    } else {
      sureFrom = found.position();
      corrections.add(new HistoryChange.InstanceRetracted(found.instance(), found.sequence()));
    }
  }

  /** Discards records read and not written; ends reading. */
  @Override
  public void close() {
    CrashMark here = mark;
    if (here != null) {
      here.close();
    }
    stop();
  }

  /** Discards records read and not written; they are read again. */
  private void stop() {
    changeBatch.clear();
    historyWatermark.clear();
    JournalFollower open = follower;
    follower = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("closing journal {}", name, e);
      }
    }
  }

  private final class RecordObserver implements InstanceObserver {
    private LongHashSet present = new LongHashSet();
    private boolean begins = true;

    @Override
    public void onTaskEntered(InstanceId id, String pointer, String task) {}

    @Override
    public boolean observesAll() {
      return true;
    }

    @Override
    public void onEvent(HistoryEvent event) {
      add(new HistoryChange.EventRecorded(event));
    }

    @Override
    public void onRestored(InstanceView instance, long sequence) {
      if (begins) {
        present.add(instance.id().value());
      }
      add(new HistoryChange.InstanceRestored(instance, sequence, begins));
    }
  }
}

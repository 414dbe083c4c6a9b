package dev.pinion.bootstrap.history;

import dev.pinion.core.engine.JournalFollower;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.spi.TaskObserver;
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
final class HistoryLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryLog.class);

  /** Time after which the history confirms again that it is up to date. */
  static final long MAX_SILENCE_MILLIS = 5_000;

  private static final String TOO_LARGE =
      "the process of the history failed "
          + ReadingMark.MAX_FAILURES
          + " times while it read it: it does not fit into its memory (--history-heap)";

  private static final String CANNOT_FOLLOW = "its records cannot be followed: ";

  private final String name;
  private final JournalFollower.Source source;
  private final HistoryWriter writer;
  private final EngineLimits.History limits;
  private final Clock clock;
  private final Set<Long> passedOver = new HashSet<>();
  private final Path folder;
  private final Runnable progress;
  private final boolean afterFailure;
  private final Batch batch;

  /** Retractions of earlier changes, until they are written. */
  private final List<Change> corrections = new ArrayList<>();

  private @Nullable ReadingMark mark;
  private @Nullable PassedOver tooLarge;
  private @Nullable JournalFollower follower;
  private final AsOf asOf;
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
  HistoryLog(
      String name,
      Path folder,
      JournalFollower.Source source,
      HistoryWriter writer,
      EngineLimits.History limits,
      Runnable progress,
      boolean afterFailure) {
    this.name = name;
    this.afterFailure = afterFailure;
    this.progress = progress;
    this.folder = folder;
    this.source = source;
    this.writer = writer;
    this.limits = limits;
    this.batch = new Batch(limits.batchBytes());
    this.clock = source.clock();
    this.asOf = new AsOf(clock.nanoTime());
  }

  /** Records on disk that are not in the history, checked now; -1 while unknown. For any thread. */
  long lag() {
    long known = written;
    try {
      long durable = JournalFollower.durable(source.storage());
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
  int pass() throws SQLException, IOException {
    try {
      return goOn();
    } catch (SQLException | IOException | RuntimeException e) {
      ReadingMark here = mark;
      if (here != null) {
        here.waits();
      }
      throw e;
    }
  }

  private int goOn() throws SQLException, IOException {
    JournalFollower open = follower;
    if (open == null) {
      open = begin();
    }
    int read = 0;
    if (batch.isEmpty()) {
      read = read(open);
    }
    write(open);
    rest(read);
    return read;
  }

  private void rest(int read) {
    ReadingMark here = mark;
    if (here != null) {
      here.rests();
      if (read == 0) {
        here.isSound();
      }
    }
  }

  /**
   * Whether the process has ended while it read this journal: reading then proceeds in small steps.
   */
  boolean isCareful() {
    ReadingMark here = mark;
    return here != null && here.ends() > 0;
  }

  /** Reason for slow reading; null for none. */
  @Nullable String trouble() {
    ReadingMark here = mark;
    return here == null || here.failures() == 0
        ? null
        : "the process of the history failed "
            + here.failures()
            + " times while it read instance "
            + new InstanceId(here.failedAt())
            + " of journal "
            + name
            + "; it reads record by record, and passes that instance over when it fails there "
            + ReadingMark.MAX_FAILURES
            + " times; a larger --history-heap may help";
  }

  /** Number of instances that are left out because they do not fit into the process. */
  int passedOver() {
    PassedOver left = tooLarge;
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
      asOf.looked(nowNanos, now, open.durable());
      return read;
    } catch (JournalFollower.Contradiction e) {
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

  private void add(Change change) {
    batch.add(change);
    if (change instanceof Change.Happened happened) {
      reads(happened.event().id().value()); // the running instance need not be the last one read
    }
    if (batch.isFull()) {
      writeAhead();
    }
  }

  /**
   * Writes the changes of records that are being read, to free their memory. The position of the
   * history stays: after a failure the same changes are written again, without effect.
   */
  private void writeAhead() {
    try {
      writer.write(batch.changes(), null);
      batch.clear();
      corrections.clear();
      progress.run();
    } catch (SQLException e) {
      throw new WriteFailedException(e);
    }
  }

  private void write(JournalFollower open) throws SQLException {
    long now = clock.epochMillis();
    if (batch.isEmpty()
        && open.settled() <= written
        && now - writtenAtMillis < MAX_SILENCE_MILLIS) {
      return;
    }
    long position = Math.max(written, open.settled());
    writer.write(
        batch.changes(),
        new HistoryWriter.Mark(journal, name, position, open.durable(), asOf.at(position)));
    batch.clear();
    corrections.clear();
    written = position;
    writtenAtMillis = now;
    tellFollowed(open);
  }

  /** Only retention and the refusal of starts depend on it. */
  private void tellFollowed(JournalFollower open) {
    try {
      open.followed(written);
    } catch (IOException e) {
      LOG.debug("journal {} was not notified of the history's progress", name, e);
    }
  }

  private void reads(long instance) {
    progress.run();
    ReadingMark here = mark;
    if (here != null) {
      here.reads(instance);
    }
  }

  /** Learns from the ends of its predecessors. */
  private void learn() throws IOException {
    if (mark != null) {
      return;
    }
    PassedOver left = PassedOver.read(folder.resolve("passed-over-" + name));
    ReadingMark here = ReadingMark.open(folder.resolve("reading-" + name), afterFailure);
    if (here.isDeadly()) {
      InstanceId id = new InstanceId(here.failedAt());
      LOG.error(
          "history of journal {}: passes over instance {}, {}; see {}",
          name,
          id,
          TOO_LARGE,
          folder.resolve("passed-over-" + name));
      left.add(id, TOO_LARGE, Instant.ofEpochMilli(clock.epochMillis()));
      here.isSound();
    } else if (here.ends() > 0) {
      LOG.warn(
          "history of journal {}: the process ended while it read; it goes in small steps", name);
    }
    passedOver.addAll(left.ids());
    tooLarge = left;
    mark = here;
  }

  private JournalFollower begin() throws SQLException, IOException {
    learn();
    journal = JournalFollower.identity(source.storage()).toString();
    written = writer.position(journal);
    corrections.forEach(batch::add);
    Heard hearing = new Heard();
    JournalFollower open = open(hearing);
    follower = open;
    hearing.begins = false;
    if (Math.max(open.base(), open.snapshotEnd()) > written) {
      batch.add(new Change.Missed(open.partitions(), hearing.present, open.base()));
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
      batch.add(new Change.GivenUp(new InstanceId(id), Long.MAX_VALUE, TOO_LARGE));
    }
    return open;
  }

  private JournalFollower open(Heard hearing) throws SQLException, IOException {
    try {
      return new JournalFollower(
          source, new JournalFollower.From(written, sureFrom, passedOver, this::reads), hearing);
    } catch (WriteFailedException e) {
      batch.clear();
      throw e.failure;
    } catch (IOException | RuntimeException e) {
      batch.clear();
      throw e;
    }
  }

  /** The first time, changes reported ahead were wrong; the second time, the records are. */
  private void contradicted(JournalFollower.Contradiction found) {
    boolean again = sureFrom >= found.position();
    stop();
    if (again) {
      LOG.error("history of journal {}: gives up instance {}", name, found.instance(), found);
      passedOver.add(found.instance().value());
      corrections.add(
          new Change.GivenUp(
              found.instance(), found.sequence(), CANNOT_FOLLOW + found.getMessage()));
    } else {
      sureFrom = found.position();
      corrections.add(new Change.Retracted(found.instance(), found.sequence()));
    }
  }

  /** Discards records read and not written; ends reading. */
  @Override
  public void close() {
    ReadingMark here = mark;
    if (here != null) {
      here.close();
    }
    stop();
  }

  /** Discards records read and not written; they are read again. */
  private void stop() {
    batch.clear();
    asOf.clear();
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

  private final class Heard implements TaskObserver {
    private LongHashSet present = new LongHashSet();
    private boolean begins = true;

    @Override
    public void entered(InstanceId id, String pointer, String task) {}

    @Override
    public boolean hearsAll() {
      return true;
    }

    @Override
    public void happened(HistoryEvent event) {
      add(new Change.Happened(event));
    }

    @Override
    public void restored(InstanceView instance, long sequence) {
      if (begins) {
        present.add(instance.id().value());
      }
      add(new Change.Restored(instance, sequence, begins));
    }
  }
}

package dev.pinion.bootstrap.history;

import dev.pinion.core.engine.JournalFollower;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.spi.TaskObserver;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one journal up into the history, from where it was left. One thread.
 *
 * <p>What was read stays in memory until it is written; nothing more is read before. So a database
 * that is gone costs no more than a batch, and the journal is taken up further when it is back, or
 * from its next snapshot when it was not kept for that long.
 */
final class HistoryLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryLog.class);

  /** Time after which the history says again that it is up to date. */
  static final long MAX_SILENCE_MILLIS = 5_000;

  private static final String CANNOT_FOLLOW = "its records cannot be followed: ";

  private final String name;
  private final JournalFollower.Source source;
  private final HistoryWriter writer;
  private final EngineLimits.History limits;
  private final Clock clock;
  private final Set<Long> passedOver = new HashSet<>();
  private List<Change> changes = new ArrayList<>();
  private @Nullable JournalFollower follower;
  private String journal = "";
  private long written;
  private long sureFrom;
  private long writtenAtMillis;

  HistoryLog(
      String name,
      JournalFollower.Source source,
      HistoryWriter writer,
      EngineLimits.History limits) {
    this.name = name;
    this.source = source;
    this.writer = writer;
    this.limits = limits;
    this.clock = source.clock();
  }

  /** Records on disk that are not in the history, as far as is known. */
  long lag() {
    JournalFollower open = follower;
    return open == null ? 0 : Math.max(0, open.durable() - open.position()) + changes.size();
  }

  /**
   * Goes on by a batch.
   *
   * @return how many records were read
   * @throws SQLException when the database failed; call again to go on
   * @throws IOException when the journal cannot be read; call again to begin anew
   */
  int pass() throws SQLException, IOException {
    JournalFollower open = follower;
    if (open == null) {
      open = begin();
    }
    int read = 0;
    if (changes.isEmpty()) {
      read = read(open);
    }
    write(open);
    return read;
  }

  private int read(JournalFollower open) throws IOException {
    try {
      return open.poll(limits.batchRecords());
    } catch (JournalFollower.Contradiction e) {
      contradicted(e);
      throw e;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void write(JournalFollower open) throws SQLException {
    long now = clock.epochMillis();
    if (changes.isEmpty()
        && open.settled() <= written
        && now - writtenAtMillis < MAX_SILENCE_MILLIS) {
      return;
    }
    long position = Math.max(written, open.settled());
    writer.write(changes, new HistoryWriter.Mark(journal, name, position, open.durable()), now);
    changes = new ArrayList<>();
    written = position;
    writtenAtMillis = now;
  }

  private JournalFollower begin() throws SQLException, IOException {
    journal = JournalFollower.identity(source.storage()).toString();
    written = writer.position(journal);
    Heard hearing = new Heard();
    JournalFollower open = open(hearing);
    follower = open;
    hearing.begins = false;
    if (Math.max(open.base(), open.snapshotEnd()) > written) {
      changes.add(new Change.Missed(open.partitions(), Set.copyOf(hearing.present), open.base()));
      if (written > 0) {
        LOG.warn(
            "history of journal {}: expected the records after {}, found the oldest after {}; what"
                + " happened between them is marked as a gap",
            name,
            written,
            open.base());
      }
    }
    hearing.present.clear();
    return open;
  }

  private JournalFollower open(Heard hearing) throws IOException {
    int before = changes.size();
    try {
      return new JournalFollower(
          source, new JournalFollower.From(written, sureFrom, passedOver), hearing);
    } catch (IOException | RuntimeException e) {
      changes.subList(before, changes.size()).clear();
      throw e;
    }
  }

  /** The first time, what was told ahead was wrong; the second time, the records are. */
  private void contradicted(JournalFollower.Contradiction found) {
    boolean again = sureFrom >= found.position();
    close();
    if (again) {
      LOG.error("history of journal {}: gives up instance {}", name, found.instance(), found);
      passedOver.add(found.instance().value());
      changes.add(
          new Change.GivenUp(
              found.instance(), found.sequence(), CANNOT_FOLLOW + found.getMessage()));
    } else {
      sureFrom = found.position();
      changes.add(new Change.Retracted(found.instance(), found.sequence()));
    }
  }

  /** Forgets what was read and not written. */
  @Override
  public void close() {
    changes = new ArrayList<>();
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
    private final Set<Long> present = new HashSet<>();
    private boolean begins = true;

    @Override
    public void entered(InstanceId id, String pointer, String task) {}

    @Override
    public boolean hearsAll() {
      return true;
    }

    @Override
    public void happened(HistoryEvent event) {
      changes.add(new Change.Happened(event));
    }

    @Override
    public void restored(InstanceView instance, long sequence) {
      if (begins) {
        present.add(instance.id().value());
      }
      changes.add(new Change.Restored(instance, sequence, begins));
    }
  }
}

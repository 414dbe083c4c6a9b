package dev.pinion.core.journal;

import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.store.JournalFullException;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A log in memory that behaves like one on other machines: records become durable some time after
 * their commit, and another writer may take over.
 */
final class InMemoryLog implements DurableLog {
  private final List<Entry> entries = new ArrayList<>();
  private Wakeup writer = Wakeup.NONE;
  private long committed;
  private long durable;
  private int fence;

  /** Whether there is no room for records. */
  boolean full;

  /** Whether there is no room for a commit. */
  boolean commitsFull;

  /** A record, with the length of its payload. */
  record Entry(int partition, int epoch, byte kind, int bytes) {}

  @Override
  public long submit(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    if (epoch < fence) {
      throw new IOException("expected epoch " + fence + " or later, found " + epoch);
    }
    if (full) {
      throw new JournalFullException(
          new NoSpaceException("no room for a record", new IOException("no space left on device")));
    }
    entries.add(new Entry(partition, epoch, kind, payload.remaining()));
    return entries.size();
  }

  @Override
  public void commit() throws IOException {
    if (commitsFull) {
      throw new JournalFullException(
          new NoSpaceException("no room for a commit", new IOException("no space left on device")));
    }
    committed = entries.size();
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void attach(Wakeup wakeup) {
    writer = wakeup;
  }

  /** Makes so many of the committed records durable, and reports it. */
  void acknowledge(long position) {
    durable = Math.min(position, committed);
    writer.signal();
  }

  /** Makes all committed records durable. */
  void acknowledge() {
    acknowledge(committed);
  }

  /** Has another writer take over with an epoch: records of earlier ones are refused. */
  void fence(int epoch) {
    fence = epoch;
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }
}

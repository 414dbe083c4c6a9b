package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.ResourceExhaustedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An append-only log of opaque records in one directory, with one writer.
 *
 * <p>{@link #append} puts a record into a batch in memory and gives it a position; {@link #force}
 * writes the batch and forces it to disk. A record is safe when {@link #durable} has reached its
 * position, whatever happens to process or power after that; a later reader of the log gets it, or
 * an error that the log is damaged.
 *
 * <p>The thread that opened the log is its owner: it appends, forces, makes and adopts snapshots,
 * and closes. It must not be interrupted, which would close the files under it. Methods for other
 * threads are marked.
 *
 * <p>After the first write or force that fails, other than for lack of room, the log acknowledges
 * nothing any more and every call fails with {@link ForceFailedException}: end the process.
 */
public final class RecordLog implements Closeable {
  private final Storage storage;
  private final StorageLock lock;
  private final InspectedLog opened;
  private final LogOpeningReport report;
  private final LogLimits bounds;
  private final PreallocatedSegment preallocatedSegment;
  private final LogRetention logRetention;
  private final DiskReserve diskReserve;
  private final LogTail end;
  private long adopted;

  private RecordLog(
      Storage storage, LogSettings settings, StorageLock lock, InspectedLog state, boolean created)
      throws IOException {
    this.storage = storage;
    this.lock = lock;
    this.opened = state;
    this.bounds = settings.bounds();
    this.adopted = state.snapshot();
    LogOpening opening = new LogOpening(storage, state);
    this.report = opening.prepare(created);
    this.logRetention = opening.retention(bounds.segmentBytes());
    this.preallocatedSegment =
        new PreallocatedSegment(storage, state.format().id(), bounds.segmentBytes());
    preallocatedSegment.examine();
    this.diskReserve = new DiskReserve(storage);
    ForcedPositionFile forcedPositionFile = opening.anchor();
    try {
      this.end =
          new LogTail(
              storage, state, bounds, preallocatedSegment, logRetention, forcedPositionFile);
    } catch (IOException | RuntimeException e) {
      forcedPositionFile.close();
      throw e;
    }
  }

  /**
   * Opens the log of a directory, or creates one in an empty directory. Everything from the newest
   * snapshot on is checked first; a refused directory is left unchanged.
   *
   * @throws LogLockedException when another process has it open
   * @throws JournalDamagedException when it is not as it was written
   * @throws JournalFormatException when it is no log, one of an unknown version, or one with
   *     another number of partitions
   * @throws NoSpaceException when there is no room to create a new one
   */
  public static RecordLog open(Storage storage, LogSettings settings) throws IOException {
    // before the lock, which would create a file in a directory that is no log
    if (!LogCreation.isDue(storage)) {
      checkPartitions(storage, LogFormat.read(storage), settings);
    }
    StorageLock lock =
        storage.lock(LogFileNames.LOCK, Long.toString(ProcessHandle.current().pid()));
    try {
      boolean created = LogCreation.isDue(storage);
      if (created) {
        LogCreation.run(storage, settings);
      }
      return new RecordLog(storage, settings, lock, LogInspection.inspect(storage), created);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static void checkPartitions(Storage storage, LogFormat format, LogSettings settings)
      throws JournalFormatException {
    if (format.partitions() != settings.partitions()) {
      throw new JournalFormatException(
          "expected a journal of "
              + settings.partitions()
              + " partitions, found one of "
              + format.partitions()
              + ", in "
              + storage.location(LogFileNames.FORMAT)
              + "; nothing was changed: set the number it was made with, or name another"
              + " directory");
    }
  }

  /** Report of the opening. */
  public LogOpeningReport report() {
    return report;
  }

  /**
   * Streams the content at the time of opening: snapshot, then records. The owner's thread, before
   * the first snapshot is adopted.
   *
   * @throws JournalDamagedException when the files have changed since
   */
  public void replay(RecordVisitor visitor) throws IOException {
    new LogReplay(storage, opened, _ -> true, visitor).run();
  }

  /**
   * Appends a record to the batch in memory. Writes, forces and continues in the next segment when
   * the current one is full.
   *
   * @param partition 0 to one less than the number of partitions
   * @param epoch any value
   * @param kind 0 to 127
   * @param payload its remaining bytes, not consumed
   * @return the position of the record
   * @throws JournalFullException when there is no room; the record was not appended, and may be
   *     appended later
   * @throws ForceFailedException when a write or force failed, now or before
   */
  public long append(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    if (kind < 0) {
      throw new IllegalArgumentException("expected a kind from 0 to 127, found " + kind);
    }
    return appendAny(partition, epoch, kind, payload);
  }

  /** Appends a record as {@link #append} does, also of the store's internal kinds. */
  long appendAny(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    checkRecord(partition, payload);
    return end.append(partition, epoch, kind, payload);
  }

  private void checkRecord(int partition, ByteBuffer payload) {
    if (partition < 0 || partition >= opened.format().partitions()) {
      throw new IllegalArgumentException(
          "expected a partition from 0 to "
              + (opened.format().partitions() - 1)
              + ", found "
              + partition);
    }
    if (payload.remaining() > bounds.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          "expected a payload of at most "
              + bounds.maxPayloadBytes()
              + " bytes (maxPayloadBytes), found "
              + payload.remaining());
    }
  }

  /**
   * Forces every record appended so far to disk.
   *
   * @return the last durable position, which is the last position
   * @throws JournalFullException when there is no room; the records wait for the next call
   * @throws ForceFailedException when a write or force failed, now or before
   */
  public long force() throws IOException {
    return end.force();
  }

  /** The last position that is on disk. Any thread. */
  public long durable() {
    return end.durable();
  }

  /** The last position appended. */
  public long position() {
    return end.position();
  }

  /**
   * Whether the next segment exists already. While it does not, only the rest of the current
   * segment is certain: have it created at once, and begin nothing more when there is no room for
   * it. Any thread.
   */
  public boolean hasPreallocated() {
    return preallocatedSegment.isReady();
  }

  /**
   * Creates the next segment unless it exists. Takes as long as writing a segment; call it after
   * opening and from time to time, on one helper thread.
   *
   * @throws ResourceExhaustedException when there is no room or no file descriptor; the log
   *     continues in the current segment
   */
  public void preallocate() throws IOException {
    preallocatedSegment.prepare();
  }

  /**
   * Begins a snapshot of the state at the last {@link #durable} record. The writer may move to
   * another thread.
   *
   * @throws IllegalStateException when there is no durable record yet
   */
  public SnapshotWriter snapshot() throws IOException {
    // a snapshot must not be ahead of the anchor, also after a loss of power
    end.forceAnchor();
    if (end.durable() == 0) {
      throw new IllegalStateException("expected a record to make a snapshot of, found none");
    }
    return new SnapshotWriter(
        storage, opened.format().id(), end.durable(), end.durableChain(), bounds.maxPayloadBytes());
  }

  /**
   * Adopts a finished snapshot: the next {@link #deleteObsolete} deletes what it replaces.
   *
   * @throws IllegalStateException when it is not finished, or older than one adopted before
   */
  public void adopt(SnapshotWriter snapshot) throws IOException {
    if (!snapshot.isFinished()) {
      throw new IllegalStateException("expected a finished snapshot, found an unfinished one");
    }
    if (snapshot.position() < adopted) {
      throw new IllegalStateException(
          "expected a snapshot at "
              + adopted
              + " or later, as one was adopted, found one at "
              + snapshot.position());
    }
    end.adopt(snapshot.position());
    adopted = snapshot.position();
    logRetention.snapshot(adopted);
  }

  /** Bytes that may still be written to the disk. Any thread. */
  public long usableBytes() {
    return storage.usableBytes();
  }

  /** Size of new segments. */
  public int segmentBytes() {
    return bounds.segmentBytes();
  }

  /** Whether a snapshot now would let a whole segment be deleted. Any thread. */
  public boolean snapshotWouldFree() {
    return logRetention.wouldFree();
  }

  /**
   * Reserves room for a snapshot, in a file that {@link #releaseReserve} deletes. One call takes
   * only a part of a large reserve. The thread of {@link #preallocate}.
   *
   * @param bytes size of the whole reserve
   * @throws ResourceExhaustedException when there is no room
   */
  public void takeReserve(long bytes) throws IOException {
    diskReserve.take(bytes);
  }

  /** Bytes reserved for a snapshot now. */
  public long reserved() throws IOException {
    return diskReserve.size();
  }

  /** Releases the reserved room; returns whether there was any. */
  public boolean releaseReserve() throws IOException {
    return diskReserve.release();
  }

  /** Calls {@link #deleteObsolete(long, long)} and keeps nothing for followers of the log. */
  public boolean deleteObsolete() throws IOException {
    return deleteObsolete(0, 0);
  }

  /**
   * Deletes segments and snapshots that the adopted snapshot replaces. Call it from time to time,
   * on one helper thread.
   *
   * @param keptBytes bytes of such segments that may be kept for followers of the log: an older
   *     snapshot is kept with all segments since, or not at all
   * @param unreadBytes bytes of them that may be kept because a follower reports that it needs them
   * @return whether nothing is left to delete; false while a reader has the log open
   */
  public boolean deleteObsolete(long keptBytes, long unreadBytes) throws IOException {
    return logRetention.deleteObsolete(keptBytes, unreadBytes);
  }

  /** The last record that followers of the log no longer need; 0 without a report. */
  public long followerPosition() throws IOException {
    return FollowerPosition.read(storage);
  }

  /**
   * Bytes of the segments before the current one that a follower has not read, given the last
   * record that it no longer needs. Any thread.
   */
  public long unreadBytes(long followed) {
    return logRetention.unreadBytes(followed);
  }

  /**
   * Forces the appended records and records that the log was closed; after a failure it only closes
   * the files. Further calls do nothing.
   */
  @Override
  public void close() throws IOException {
    try (storage;
        lock;
        end) {
      // the lock after the end: no other process may write while this log does
    }
  }
}

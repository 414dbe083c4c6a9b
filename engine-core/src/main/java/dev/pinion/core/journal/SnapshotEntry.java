package dev.pinion.core.journal;

import java.util.function.Supplier;

/**
 * A part of a snapshot on its way from a kernel to the thread that writes it.
 *
 * <p>The kinds of a whole snapshot, in order; those of several kernels are interleaved:
 *
 * <pre>
 *   BEGIN · { PART* INSTANCE }* · { PART* ENDED }* · KEY* · { PART* CHILD }* · EVENTS*
 *     · KERNEL · END
 * </pre>
 */
public final class SnapshotEntry {
  /** State of the journal when the snapshot was begun. */
  public static final byte BEGIN = 17;

  /** Part of the state of an instance, or of an ended one; more follows. */
  public static final byte PART = 18;

  /** The state of an instance, or the last of it. */
  public static final byte INSTANCE = 19;

  /** Data of an ended instance, or the last part of it. */
  public static final byte ENDED = 20;

  /** Data of a kernel beside its instances; the last entry of that kernel. */
  public static final byte KERNEL = 21;

  /** A key under which an instance was started. */
  public static final byte KEY = 23;

  /** Something on its way between an instance and its child, or the last part of it. */
  public static final byte CHILD = 26;

  /** External events that instances consumed, which the log of events may not know of yet. */
  public static final byte EVENTS = 27;

  /**
   * In a log, not in a snapshot: begins states that came from another log, with the origin of their
   * times.
   */
  public static final byte MOVED = 24;

  /** Position up to which instances may be ahead of the records. */
  public static final byte END = 22;

  private final int partition;
  private final byte kind;
  private final int length;
  private final Supplier<byte[]> bytes;

  /**
   * An entry.
   *
   * @param partition the partition of the instance concerned, else 0
   * @param kind kind of the entry
   * @param bytes its content; the caller must not change it any more
   */
  public SnapshotEntry(int partition, byte kind, byte[] bytes) {
    this(partition, kind, bytes.length, () -> bytes);
  }

  private SnapshotEntry(int partition, byte kind, int length, Supplier<byte[]> bytes) {
    this.partition = partition;
    this.kind = kind;
    this.length = length;
    this.bytes = bytes;
  }

  /**
   * The same entry with its content stored elsewhere.
   *
   * @param elsewhere supplier of the content; any thread
   */
  public SnapshotEntry withBytesFrom(Supplier<byte[]> elsewhere) {
    return new SnapshotEntry(partition, kind, length, elsewhere);
  }

  /** Whether entries of a kind concern a kernel as a whole, and no partition. */
  public static boolean isOfKernel(byte kind) {
    return kind == KERNEL || kind == EVENTS;
  }

  /** Bytes of its content. */
  public int length() {
    return length;
  }

  /** The partition of the instance concerned, else 0. */
  public int partition() {
    return partition;
  }

  /** Kind of the entry. */
  public byte kind() {
    return kind;
  }

  /** Its content; not to be modified. */
  public byte[] bytes() {
    return bytes.get();
  }
}

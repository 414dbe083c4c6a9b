package dev.pinion.core.journal;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The first entry of a snapshot: its partitions, the origin of its times, and the opening of the
 * journal under which its kernels worked.
 *
 * @param epochs the epoch of each partition whose instances it has
 * @param nowNanos monotonic time of its beginning
 * @param epochMillis wall-clock time of the same moment
 * @param opening the opening at that time
 */
public record SnapshotHeader(
    SortedMap<Integer, Integer> epochs, long nowNanos, long epochMillis, JournalHeader opening) {
  private static final int FORM = 1;

  public byte[] encode() {
    ByteWriter out = new ByteWriter();
    out.putCount(FORM);
    out.putCount(epochs.size());
    for (Map.Entry<Integer, Integer> each : epochs.entrySet()) {
      out.putCount(each.getKey());
      out.putCount(each.getValue());
    }
    out.putNumber(nowNanos);
    out.putNumber(epochMillis);
    out.putBytes(opening.encode().array());
    return out.toBytes();
  }

  /**
   * Reads the output of {@link #encode}.
   *
   * @throws IOException when it is something else
   */
  public static SnapshotHeader decode(byte[] bytes) throws IOException {
    try {
      ByteReader in = new ByteReader(bytes);
      int form = in.getCount();
      if (form != FORM) {
        throw new IOException(
            "expected a snapshot in form "
                + FORM
                + ", found form "
                + form
                + ": start the version of the engine that wrote it");
      }
      return new SnapshotHeader(
          epochs(in),
          in.getNumber(),
          in.getNumber(),
          JournalHeader.decode(ByteBuffer.wrap(in.getBytes())));
    } catch (IllegalArgumentException e) {
      throw new IOException("expected the first entry of a snapshot: " + e.getMessage(), e);
    }
  }

  private static SortedMap<Integer, Integer> epochs(ByteReader in) {
    SortedMap<Integer, Integer> epochs = new TreeMap<>();
    int count = in.getCount();
    for (int i = 0; i < count; i++) {
      epochs.put(in.getCount(), in.getCount());
    }
    return epochs;
  }

  /** The epoch of a partition in the snapshot; 0 for one that it does not contain. */
  public int epoch(int partition) {
    Integer epoch = epochs.get(partition);
    return epoch == null ? 0 : epoch;
  }
}

package dev.pinion.core.kernel.listen;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.journal.SnapshotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Codec of consumed events in a snapshot: {@code { first position 8 | last position 8 | time 8 }*}.
 */
public final class ConsumedEventCodec {
  private static final int BYTES_PER_RANGE = 3 * Long.BYTES;

  private ConsumedEventCodec() {}

  /**
   * The entries of what was consumed.
   *
   * @param maxBytes the longest entry
   */
  public static List<SnapshotEntry> entries(RecordedMatches matches, int maxBytes) {
    List<SnapshotEntry> entries = new ArrayList<>();
    ByteWriter out = new ByteWriter();
    matches.forEach(
        (first, last, atMillis) -> {
          if (out.size() > 0 && out.size() + BYTES_PER_RANGE > maxBytes) {
            entries.add(entry(out));
            out.clear();
          }
          out.putLong(first);
          out.putLong(last);
          out.putLong(atMillis);
        });
    if (out.size() > 0) {
      entries.add(entry(out));
    }
    return entries;
  }

  private static SnapshotEntry entry(ByteWriter out) {
    return new SnapshotEntry(0, SnapshotEntry.EVENTS, out.toBytes());
  }

  /**
   * Hands over what an entry holds.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static void read(byte[] bytes, RecordedMatches.RangeConsumer consumer) {
    ByteReader in = new ByteReader(bytes);
    while (in.hasMore()) {
      consumer.accept(in.getLong(), in.getLong(), in.getLong());
    }
  }
}

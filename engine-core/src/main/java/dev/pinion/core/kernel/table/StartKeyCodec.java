package dev.pinion.core.kernel.table;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.StartKey;

/** Codec of start keys in a snapshot. */
public final class StartKeyCodec {
  private StartKeyCodec() {}

  /** Writes a key. */
  public static void write(StartKeyTable.KeyEntry keyEntry, ByteWriter out) {
    out.putLong(keyEntry.key().high());
    out.putLong(keyEntry.key().low());
    out.putLong(keyEntry.key().bodyHigh());
    out.putLong(keyEntry.key().bodyLow());
    out.putLong(keyEntry.id().value());
    out.putLong(keyEntry.sinceNanos());
    DefinitionKey definition = keyEntry.definition();
    if (definition != null) {
      new ValueWriter(out).put(definition);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static StartKeyTable.KeyEntry read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    StartKey key = new StartKey(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    InstanceId id = new InstanceId(in.getLong());
    long sinceNanos = in.getLong();
    // engines that did not store definitions wrote no more
    DefinitionKey definition = in.hasMore() ? new ValueReader(in).definition() : null;
    in.expectEnd();
    return new StartKeyTable.KeyEntry(key, id, definition, sinceNanos);
  }
}

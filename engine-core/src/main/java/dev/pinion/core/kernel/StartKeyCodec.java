package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteReader;
import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.StartKey;

/** Codec of start keys in a snapshot. */
final class StartKeyCodec {
  private StartKeyCodec() {}

  static void write(StartKeys.Started started, ByteWriter out) {
    out.putLong(started.key().high());
    out.putLong(started.key().low());
    out.putLong(started.key().bodyHigh());
    out.putLong(started.key().bodyLow());
    out.putLong(started.id().value());
    out.putLong(started.sinceNanos());
    DefinitionKey definition = started.definition();
    if (definition != null) {
      new ValueWriter(out).put(definition);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  static StartKeys.Started read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    StartKey key = new StartKey(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    InstanceId id = new InstanceId(in.getLong());
    long sinceNanos = in.getLong();
    // engines that did not store definitions wrote no more
    DefinitionKey definition = in.hasMore() ? new ValueReader(in).definition() : null;
    in.expectEnd();
    return new StartKeys.Started(key, id, definition, sinceNanos);
  }
}

package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteReader;
import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.StartKey;

/** The form in a snapshot of a key under which an instance was started. */
final class StartKeyCodec {
  private StartKeyCodec() {}

  static void write(StartKeys.Started started, ByteWriter out) {
    out.putLong(started.key().high());
    out.putLong(started.key().low());
    out.putLong(started.key().bodyHigh());
    out.putLong(started.key().bodyLow());
    out.putLong(started.id().value());
    out.putLong(started.sinceNanos());
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException when the bytes are anything else
   */
  static StartKeys.Started read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    StartKeys.Started started =
        new StartKeys.Started(
            new StartKey(in.getLong(), in.getLong(), in.getLong(), in.getLong()),
            new InstanceId(in.getLong()),
            in.getLong());
    in.expectEnd();
    return started;
  }
}

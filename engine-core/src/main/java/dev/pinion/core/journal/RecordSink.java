package dev.pinion.core.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where encoded records go. One thread. */
public interface RecordSink {
  /**
   * Takes a record; it is durable after the next {@link #force}.
   *
   * @param partition the partition of the instance concerned
   * @param kind what the record holds
   * @param payload the encoded record, read from its position to its limit
   * @throws IOException when the record cannot be taken; nothing of it was
   */
  void append(int partition, byte kind, ByteBuffer payload) throws IOException;

  /**
   * Makes every record taken so far durable.
   *
   * @throws IOException when that failed; none may be taken for durable that was not before
   */
  void force() throws IOException;
}

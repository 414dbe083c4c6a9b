package dev.pinion.core.journal;

import dev.pinion.core.journal.store.JournalFullException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Receiver of encoded records. Single-threaded. */
public interface RecordSink {
  /**
   * Appends a record; it is durable after the next {@link #force}.
   *
   * @param partition the partition of the instance concerned
   * @param kind kind of the record
   * @param payload the encoded record, read from its position to its limit
   * @throws JournalFullException when there is no room; nothing was appended
   * @throws IOException when the sink has failed for ever
   */
  void append(int partition, byte kind, ByteBuffer payload) throws IOException;

  /**
   * Makes every record appended so far durable.
   *
   * @throws JournalFullException when there is no room; the records wait for the next call
   * @throws IOException when the sink has failed for ever; records that were not durable before
   *     must not be regarded as durable
   */
  void force() throws IOException;
}

package dev.pinion.core.journal;

import dev.pinion.core.journal.store.JournalFullException;
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
   * @throws JournalFullException when there is no room; nothing was taken
   * @throws IOException when the sink has failed for ever
   */
  void append(int partition, byte kind, ByteBuffer payload) throws IOException;

  /**
   * Makes every record taken so far durable.
   *
   * @throws JournalFullException when there is no room; the records wait for the next call
   * @throws IOException when the sink has failed for ever; no record may be taken for durable that
   *     was not before
   */
  void force() throws IOException;
}

package dev.pinion.core.journal.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receiver of the content of a log: the entries of the newest snapshot, then the records after it.
 * Payloads are valid until the method returns; copy retained data.
 */
public interface RecordVisitor {
  /** Receives an entry of the snapshot, in the order of writing. */
  void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException;

  /** Receives a record, in the order of positions. */
  void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException;

  /**
   * Receives the report of a repair that dropped records before this position.
   *
   * @param text description of the dropped records, the time and the reason, as written by {@link
   *     JournalRepair}
   */
  default void onAudit(long position, String text) throws IOException {}
}

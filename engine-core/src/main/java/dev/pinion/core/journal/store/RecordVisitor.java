package dev.pinion.core.journal.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receives what a log holds: the entries of the newest snapshot, then the records after it.
 * Payloads are valid until the method returns; copy what is kept.
 */
public interface RecordVisitor {
  /** An entry of the snapshot, in the order of writing. */
  void onEntry(int partition, byte kind, ByteBuffer payload) throws IOException;

  /** A record, in the order of positions. */
  void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload)
      throws IOException;

  /**
   * A repair that dropped records before this position.
   *
   * @param text what was dropped, when, and why, as written by {@link JournalRepair}
   */
  default void onAudit(long position, String text) throws IOException {}
}

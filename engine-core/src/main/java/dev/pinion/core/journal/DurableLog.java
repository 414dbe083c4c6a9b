package dev.pinion.core.journal;

import dev.pinion.core.journal.store.JournalFullException;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The log that keeps the records of a replica: the port behind which a local log stands, or one
 * that is replicated.
 *
 * <pre>
 *   JournalWriter ──submit, submit … commit──▶ DurableLog
 *         ▲──────────── durable position ◀────────┘   with the commit, or later
 * </pre>
 *
 * <p>A durable record is found by whoever reads the log after any crash. It is no proof that the
 * writer still owns the record's partition: a log on other machines may report records of a writer
 * as durable after another one has taken over. So a reply that the record was taken may be sent,
 * but a client that asks for the latest state needs {@link Journal#readBarrier}.
 *
 * <p>Called by the writer's thread, except where marked.
 */
public interface DurableLog {
  /**
   * Submits a record, which becomes durable after a later {@link #commit}, in order.
   *
   * @param partition the partition of the instance concerned
   * @param epoch the epoch in which this replica owns the partition; recovery skips records of
   *     earlier epochs
   * @param kind kind of the record
   * @param payload the encoded record, read from its position to its limit before this returns
   * @return the position of the record; positions ascend from 1
   * @throws JournalFullException when there is no room; nothing was submitted
   * @throws IOException when the log takes no more records from this writer: it has failed, or
   *     another writer owns it
   */
  long submit(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException;

  /**
   * Makes the submitted records durable. May return before they are; then the wake-up follows.
   *
   * @throws JournalFullException when there is no room; the records wait for the next call
   * @throws IOException when the log takes no more records from this writer; records that were not
   *     durable before must not be regarded as durable
   */
  void commit() throws IOException;

  /** The last durable position; 0 for none. Never decreases. Any thread. */
  long durable();

  /**
   * Sets the wake-up for records that become durable after their commit has returned. Call before
   * the log is used. A log whose commit waits for them ignores it.
   */
  void attach(Wakeup writer);
}

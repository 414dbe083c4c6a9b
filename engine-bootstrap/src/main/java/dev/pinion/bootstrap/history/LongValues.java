package dev.pinion.bootstrap.history;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Outputs and errors of instances that are too long for their columns: compressed rows of separate
 * tables, within one transaction. Used by one thread.
 */
final class LongValues {
  private final Handle open;
  private final ColumnValue values;
  private final int maxBytes;

  /**
   * Rows of a transaction.
   *
   * @param maxBytes most bytes of a stored value as JSON
   */
  LongValues(Handle open, ColumnValue values, int maxBytes) {
    this.open = open;
    this.values = values;
    this.maxBytes = maxBytes;
  }

  /** Stores an output if it is long. */
  void output(long id, @Nullable Payload output) {
    byte[] compressed = values.compressed(output, maxBytes);
    if (compressed != null) {
      open.execute(
          "INSERT INTO result (id, output) VALUES (?, ?)"
              + " ON CONFLICT (id) DO UPDATE SET output = excluded.output",
          id,
          compressed);
    }
  }

  /**
   * Stores an error if it is long.
   *
   * @param sequence number of the failure; an instance with a later one keeps that
   */
  void error(long id, long sequence, @Nullable WorkflowError error) {
    byte[] compressed = error == null ? null : values.compressed(error.toPayload(), maxBytes);
    if (compressed != null) {
      open.execute(
          "INSERT INTO failure (id, error) SELECT id, ? FROM instance WHERE id = ?"
              + " AND sequence < ? ON CONFLICT (id) DO UPDATE SET error = excluded.error",
          compressed,
          id,
          sequence);
    }
  }

  /** Deletes the error of an instance that failed before this number and continues. */
  void goesOn(long id, long sequence) {
    delete("<", id, sequence);
  }

  /** Deletes the error of an instance from this number on. */
  void retract(long id, long sequence) {
    delete(">=", id, sequence);
  }

  private void delete(String than, long id, long sequence) {
    open.execute(
        "DELETE FROM failure WHERE id IN (SELECT id FROM instance WHERE id = ? AND sequence "
            + than
            + " ?)",
        id,
        sequence);
  }
}

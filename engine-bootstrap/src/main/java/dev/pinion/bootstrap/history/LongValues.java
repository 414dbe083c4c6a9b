package dev.pinion.bootstrap.history;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Outputs and errors of instances that are too long for their columns: compressed rows of separate
 * tables, within one transaction. Used by one thread.
 */
final class LongValues implements AutoCloseable {
  private final ColumnValue values;
  private final int maxBytes;
  private final PreparedStatement insertOutput;
  private final PreparedStatement insertError;
  private final PreparedStatement deleteErrorBefore;
  private final PreparedStatement deleteErrorFrom;

  /**
   * Rows of a transaction.
   *
   * @param maxBytes most bytes of a stored value as JSON
   */
  LongValues(Connection connection, ColumnValue values, int maxBytes) throws SQLException {
    this.values = values;
    this.maxBytes = maxBytes;
    this.insertOutput =
        connection.prepareStatement(
            "INSERT INTO result (id, output) VALUES (?, ?)"
                + " ON CONFLICT (id) DO UPDATE SET output = excluded.output");
    this.insertError =
        connection.prepareStatement(
            "INSERT INTO failure (id, error) SELECT id, ? FROM instance WHERE id = ?"
                + " AND sequence < ? ON CONFLICT (id) DO UPDATE SET error = excluded.error");
    this.deleteErrorBefore = connection.prepareStatement(deleteError("<"));
    this.deleteErrorFrom = connection.prepareStatement(deleteError(">="));
  }

  private static String deleteError(String than) {
    return "DELETE FROM failure WHERE id IN"
        + " (SELECT id FROM instance WHERE id = ? AND sequence "
        + than
        + " ?)";
  }

  /** Stores an output if it is long. */
  void output(long id, @Nullable Payload output) throws SQLException {
    byte[] compressed = values.compressed(output, maxBytes);
    if (compressed != null) {
      insertOutput.setLong(1, id);
      insertOutput.setBytes(2, compressed);
      insertOutput.executeUpdate();
    }
  }

  /**
   * Stores an error if it is long.
   *
   * @param sequence number of the failure; an instance with a later one keeps that
   */
  void error(long id, long sequence, @Nullable WorkflowError error) throws SQLException {
    byte[] compressed = error == null ? null : values.compressed(error.toPayload(), maxBytes);
    if (compressed != null) {
      insertError.setBytes(1, compressed);
      insertError.setLong(2, id);
      insertError.setLong(3, sequence);
      insertError.executeUpdate();
    }
  }

  /** Deletes the error of an instance that failed before this number and continues. */
  void goesOn(long id, long sequence) throws SQLException {
    delete(deleteErrorBefore, id, sequence);
  }

  /** Deletes the error of an instance from this number on. */
  void retract(long id, long sequence) throws SQLException {
    delete(deleteErrorFrom, id, sequence);
  }

  private static void delete(PreparedStatement delete, long id, long sequence) throws SQLException {
    delete.setLong(1, id);
    delete.setLong(2, sequence);
    delete.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    insertOutput.close();
    insertError.close();
    deleteErrorBefore.close();
    deleteErrorFrom.close();
  }
}

package dev.pinion.bootstrap.history;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An ended instance in the tables of the history, in the format of its kernel. */
final class CompletedInstanceRow {
  /** Query for one id; does not find instances that have not ended, or ended in an unknown way. */
  static final String QUERY =
      "SELECT i.namespace, i.name, i.version, i.state, i.sequence, i.started_at, i.ended_at,"
          + " i.business_key, i.output, i.error, r.output, f.error, i.parent, i.parent_task"
          + " FROM instance i LEFT JOIN result r ON r.id = i.id LEFT JOIN failure f ON f.id = i.id"
          + " WHERE i.id = ? AND i.ended_at IS NOT NULL";

  private CompletedInstanceRow() {}

  /**
   * The instance of a row, or null when its output was too long to be stored, or nothing of its
   * error was. An error that was too long is truncated.
   */
  static @Nullable InstanceView view(
      InstanceId id, ResultSet row, Map<String, String> labels, PayloadCodec codec)
      throws SQLException {
    InstanceState state = InstanceState.valueOf(row.getString(4));
    Payload output = output(row, codec);
    WorkflowError error = error(state, row, codec);
    boolean whole =
        switch (state) {
          case COMPLETED -> output != null;
          case FAULTED -> error != null;
          default -> true;
        };
    return !whole
        ? null
        : new InstanceView(
            id,
            new DefinitionKey(row.getString(1), row.getString(2), row.getString(3)),
            state,
            row.getLong(6),
            row.getLong(7),
            row.getLong(5),
            output,
            error,
            new Tags(row.getString(8), labels),
            HistoryItems.parent(row, 13, 14));
  }

  private static @Nullable Payload output(ResultSet row, PayloadCodec codec) throws SQLException {
    String text = row.getString(9);
    byte[] compressed = row.getBytes(11);
    if (text != null) {
      return ColumnValue.read(codec, text);
    }
    return compressed == null ? null : ColumnValue.inflate(codec, compressed);
  }

  private static @Nullable WorkflowError error(
      InstanceState state, ResultSet row, PayloadCodec codec) throws SQLException {
    byte[] compressed = state == InstanceState.FAULTED ? row.getBytes(12) : null;
    if (compressed != null) {
      return error(ColumnValue.inflate(codec, compressed).json());
    }
    String text = row.getString(10);
    return text == null ? null : error(ColumnValue.read(codec, text).json());
  }

  private static WorkflowError error(JsonNode json) {
    return new WorkflowError(
        json.path("type").asText(),
        json.path("status").asInt(),
        member(json, "title"),
        member(json, "detail"),
        member(json, "instance"));
  }

  private static @Nullable String member(JsonNode json, String name) {
    return json.hasNonNull(name) ? json.get(name).asText() : null;
  }
}

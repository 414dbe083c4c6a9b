package dev.pinion.bootstrap.history;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.ParentTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of queries as the items of pages. For any thread. */
final class HistoryItems {
  private final PayloadCodec codec;

  HistoryItems(PayloadCodec codec) {
    this.codec = codec;
  }

  /** An event. */
  Payload event(ResultSet row) throws SQLException {
    String kind = row.getString(2);
    long at = row.getLong(3);
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("sequence", Payload.of(row.getLong(1)));
    members.put("kind", Payload.of(kind));
    if (at > 0) {
      members.put("time", Payload.of(Instant.ofEpochMilli(at).toString()));
    }
    text(members, "task", row.getString(5));
    text(members, "name", row.getString(6));
    long activity = row.getLong(7);
    if (!row.wasNull()) {
      members.put("activity", Payload.of(activity));
    }
    boolean ended = !kind.endsWith("_STARTED") && !kind.equals("GAP");
    if (ended) {
      members.put("durationMillis", Payload.of(Math.max(0, at - row.getLong(4))));
    }
    json(members, "input", row.getString(8));
    json(members, "output", row.getString(9));
    json(members, "error", row.getString(10));
    text(members, "detail", row.getString(11));
    omitted(members, row.getLong(12));
    return Payload.object(members);
  }

  /** An instance. */
  Payload instance(InstanceId id, ResultSet row, Map<String, String> labels) throws SQLException {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("id", Payload.of(id.toString()));
    Map<String, Payload> definition = new LinkedHashMap<>();
    definition.put("namespace", Payload.of(row.getString(2)));
    definition.put("name", Payload.of(row.getString(3)));
    definition.put("version", Payload.of(row.getString(4)));
    members.put("definition", Payload.object(definition));
    members.put("state", Payload.of(row.getString(5)));
    members.put("startedAt", Payload.of(Instant.ofEpochMilli(row.getLong(6)).toString()));
    long ended = row.getLong(7);
    if (!row.wasNull()) {
      members.put("endedAt", Payload.of(Instant.ofEpochMilli(ended).toString()));
    }
    text(members, "businessKey", row.getString(8));
    if (!labels.isEmpty()) {
      Map<String, Payload> texts = new LinkedHashMap<>();
      labels.forEach((name, value) -> texts.put(name, Payload.of(value)));
      members.put("labels", Payload.object(texts));
    }
    ParentTask parent = parent(row, 11, 12);
    if (parent != null) {
      Map<String, Payload> task = new LinkedHashMap<>();
      task.put("id", Payload.of(parent.id().toString()));
      task.put("task", Payload.of(parent.pointer()));
      members.put("parent", Payload.object(task));
    }
    json(members, "error", row.getString(9));
    omitted(members, row.getLong(10));
    return Payload.object(members);
  }

  /** The task that started the instance of a row; null when a client did. */
  static @Nullable ParentTask parent(ResultSet row, int id, int task) throws SQLException {
    long parent = row.getLong(id);
    return row.wasNull() ? null : new ParentTask(new InstanceId(parent), row.getString(task));
  }

  private static void omitted(Map<String, Payload> members, long chars) {
    if (chars > 0) {
      members.put("omittedChars", Payload.of(chars));
    }
  }

  static void text(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, Payload.of(value));
    }
  }

  private void json(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, ColumnValue.read(codec, value));
    }
  }
}

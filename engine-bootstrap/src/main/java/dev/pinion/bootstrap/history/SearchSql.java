package dev.pinion.bootstrap.history;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.History;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** A search in SQL; values of clients are bound, never part of the text. */
final class SearchSql {
  private final StringBuilder text =
      new StringBuilder(
          "SELECT i.id, i.namespace, i.name, i.version, i.state, i.started_at, i.ended_at,"
              + " i.business_key, i.error, i.omitted_chars, i.parent, i.parent_task FROM instance i");
  private final List<Object> values = new ArrayList<>();

  SearchSql(History.Search search) {
    History.LabelFilter labelFilter = search.label();
    if (labelFilter != null) {
      text.append(" JOIN label l ON l.id = i.id AND l.name = ? AND l.value = ?");
      values.add(labelFilter.name());
      values.add(labelFilter.value());
    }
    text.append(" WHERE 1 = 1");
    and("i.state = ?", search.state());
    and("i.namespace = ?", search.namespace());
    and("i.name = ?", search.definition());
    and("i.business_key = ?", search.businessKey());
    and("i.started_at >= ?", search.started().from());
    and("i.started_at < ?", search.started().until());
    InstanceId parent = search.parent();
    and("i.parent = ?", parent == null ? null : parent.value());
    InstanceId before = search.page().before();
    and("i.id < ?", before == null ? null : before.value());
    text.append(" ORDER BY i.id DESC LIMIT ?");
    values.add((long) search.page().limit() + 1);
  }

  private void and(String condition, @Nullable Object value) {
    if (value != null) {
      text.append(" AND ").append(condition);
      values.add(value);
    }
  }

  Query query(Handle open) {
    return open.select(text, values.toArray());
  }
}

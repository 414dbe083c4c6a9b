package dev.pinion.handlers.builtin.data;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.api.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A table that external events update. */
record EventTableSource(EventTable table) implements TableSource {
  /**
   * The table of the events named by settings.
   *
   * @throws IllegalArgumentException when there is none; it has then been reported as a problem of
   *     the settings
   */
  static EventTableSource opened(Settings settings, EventTables tables) {
    Settings events = settings.group("events");
    String namespace = events.text("namespace");
    String type = events.text("type");
    String removedBy = events.has("removedBy") ? events.text("removedBy") : null;
    if (namespace.isEmpty() || type.isEmpty() || type.equals(removedBy)) {
      if (type.equals(removedBy)) {
        events.problem("removedBy", "expected another type than \"type\", found the same");
      }
      throw new IllegalArgumentException("unusable table of events");
    }
    try {
      return new EventTableSource(tables.open(new EventTables.Source(namespace, type, removedBy)));
    } catch (IOException e) {
      settings.problem("events", String.valueOf(e.getMessage()));
      throw new IllegalArgumentException("unusable table of events", e);
    }
  }

  @Override
  public @Nullable Payload row(String key) {
    return table.row(key);
  }

  @Override
  public void close() {
    table.close();
  }
}

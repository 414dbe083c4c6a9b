package dev.pinion.handlers.api;

import dev.pinion.core.model.Payload;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Source of tables that external events update. Any thread that may block. */
@FunctionalInterface
public interface EventTables {
  /** For processes that receive no events. */
  EventTables NONE =
      source -> {
        throw new IOException(
            "expected a table in a file or at a URL, because this process takes no external"
                + " events; only replicas do");
      };

  /** For commands that only inspect chains: tables that stay empty. */
  EventTables EMPTY =
      source ->
          new EventTable() {
            @Override
            public @Nullable Payload row(String subject) {
              return null;
            }

            @Override
            public int size() {
              return 0;
            }

            @Override
            public void close() {}
          };

  /**
   * A table with all known rows, updated until it is closed.
   *
   * @throws IOException when events cannot be read; the message gives the reason
   */
  EventTable open(Source source) throws IOException;

  /**
   * Selection of the events for a table.
   *
   * @param namespace namespace that they are sent to
   * @param type type of the events whose data are rows; one without data removes the row
   * @param removedBy type of further events that remove rows, or null
   */
  record Source(String namespace, String type, @Nullable String removedBy) {}
}

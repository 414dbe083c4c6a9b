package dev.pinion.handlers.api;

import dev.pinion.core.model.Payload;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where handlers get tables that external events keep up to date. Any thread that may block. */
@FunctionalInterface
public interface EventTables {
  /** For processes that take no events. */
  EventTables NONE =
      source -> {
        throw new IOException(
            "expected a table in a file or at a URL, because this process takes no external"
                + " events; only replicas do");
      };

  /** For what only looks at chains: tables that stay empty. */
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
   * A table with all that is known so far, and whatever comes until it is closed.
   *
   * @throws IOException when events cannot be read; the message tells why
   */
  EventTable open(Source source) throws IOException;

  /**
   * Which events make a table.
   *
   * @param namespace that they are sent to
   * @param type of the events whose data are rows; one without data takes the row away
   * @param removedBy type of further events that take rows away, or null
   */
  record Source(String namespace, String type, @Nullable String removedBy) {}
}

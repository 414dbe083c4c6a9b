package dev.pinion.handlers.builtin.data;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** A source of a reference table, updated off the path of messages. Any thread. */
interface TableSource extends AutoCloseable {
  /** The row of a key, or null: waits for nothing. */
  @Nullable Payload row(String key);

  @Override
  void close();
}

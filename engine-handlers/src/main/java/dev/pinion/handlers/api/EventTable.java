package dev.pinion.handlers.api;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Rows that external events update, off the path of messages: for each subject the data of its last
 * event. Any thread; look-ups do not wait, except for a read of the disk when there are more rows
 * than fit into memory.
 */
public interface EventTable extends AutoCloseable {
  /**
   * The row of a subject, or null.
   *
   * @throws java.io.UncheckedIOException when it is on disk and cannot be read now
   */
  @Nullable Payload row(String subject);

  /**
   * Number of rows, those on disk included.
   *
   * @throws java.io.UncheckedIOException when some are on disk and cannot be counted now
   */
  int size();

  /** Stops the updates. */
  @Override
  void close();
}

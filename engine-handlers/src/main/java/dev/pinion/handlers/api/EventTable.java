package dev.pinion.handlers.api;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Rows that external events keep up to date, off the path of messages: of each subject the data of
 * the last event. Any thread; looks wait for nothing, unless there are more rows than memory has
 * room for: then for a read of the disk.
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

  /** Keeps it up to date no longer. */
  @Override
  void close();
}

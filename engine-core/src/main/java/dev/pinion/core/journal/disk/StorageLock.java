package dev.pinion.core.journal.disk;

import java.io.Closeable;
import java.io.IOException;

/** A lock that is held until it is closed or its process ends. */
public interface StorageLock extends Closeable {
  /** Releases the lock; further calls do nothing. */
  @Override
  void close() throws IOException;
}

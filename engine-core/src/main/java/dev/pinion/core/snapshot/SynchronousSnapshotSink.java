package dev.pinion.core.snapshot;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.SnapshotSink;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes the part of a stopped kernel, immediately and on the calling thread. */
final class SynchronousSnapshotSink implements SnapshotSink {
  private final SnapshotJob job;

  SynchronousSnapshotSink(SnapshotJob job) {
    this.job = job;
  }

  @Override
  public boolean offer(SnapshotEntry entry) {
    try {
      job.write(entry);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int maxEntryBytes() {
    return job.maxEntryBytes();
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean isAbandoned() {
    return false;
  }

  @Override
  public void fail(RuntimeException failure) {
    throw failure;
  }
}

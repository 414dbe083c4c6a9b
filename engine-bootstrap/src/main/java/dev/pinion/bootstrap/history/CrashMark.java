package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The instance that is being read, in a file that outlives the process: when the process ends while
 * reading, its successor knows where. An external end, such as a kill of the whole engine, says
 * nothing about the instance. Writing is a store into mapped memory, no system call. Used by one
 * thread.
 */
final class CrashMark implements AutoCloseable {
  /** Failures of the process at one instance after which the instance is passed over. */
  static final int MAX_FAILURES = 3;

  /** Instances that the process must read without ending to count as sound again. */
  private static final int SOUND_INSTANCES = 200;

  private static final int BYTES = 64;
  private static final int BUSY_AT = 0;
  private static final int INSTANCE_AT = 8;
  private static final int ENDS_AT = 16;
  private static final int FAILED_AT = 24;
  private static final int FAILURES_AT = 32;

  private final MappedByteBuffer mark;
  private int sound;

  private CrashMark(MappedByteBuffer mark) {
    this.mark = mark;
  }

  /**
   * Opens a mark, and counts the end of the process that it records.
   *
   * @param file the file, created if missing
   * @param failed whether that process is known to have failed by itself
   */
  static CrashMark open(Path file, boolean failed) throws IOException {
    DataSubdirectory.make(Objects.requireNonNull(file.getParent(), "a folder"));
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      CrashMark opened = new CrashMark(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
      opened.countEnd(failed);
      return opened;
    }
  }

  private void countEnd(boolean failed) {
    if (mark.getLong(BUSY_AT) == 0) {
      return;
    }
    if (failed) {
      long instance = mark.getLong(INSTANCE_AT);
      boolean again = instance == mark.getLong(FAILED_AT);
      mark.putLong(FAILURES_AT, again ? failures() + 1 : 1);
      mark.putLong(FAILED_AT, instance);
    }
    mark.putLong(ENDS_AT, ends() + 1);
    mark.putLong(BUSY_AT, 0);
  }

  /** Marks the instance that is read now. */
  void started(long instance) {
    if (ends() > 0 && mark.getLong(INSTANCE_AT) != instance) {
      sound++;
    }
    mark.putLong(INSTANCE_AT, instance);
    mark.putLong(BUSY_AT, 1);
  }

  /**
   * Marks that nothing is read now, but the records read are not written: an end while it waits
   * says nothing.
   */
  void paused() {
    mark.putLong(BUSY_AT, 0);
  }

  /** Marks that nothing is read now, and the records read are written. */
  void committed() {
    mark.putLong(BUSY_AT, 0);
    if (sound >= SOUND_INSTANCES) {
      reset();
    }
  }

  /** Marks that everything is read: earlier ends no longer count. */
  void reset() {
    sound = 0;
    mark.putLong(ENDS_AT, 0);
    mark.putLong(FAILURES_AT, 0);
    mark.putLong(FAILED_AT, -1);
  }

  /** Number of ends of the process while it read, for any reason, since it was sound. */
  long ends() {
    return mark.getLong(ENDS_AT);
  }

  /** Number of successive failures of the process at the {@linkplain #failedAt instance}. */
  long failures() {
    return mark.getLong(FAILURES_AT);
  }

  /** Instance at which the process failed last. */
  long failedAt() {
    return mark.getLong(FAILED_AT);
  }

  /**
   * Whether the process has failed at an instance so often that the instance must be passed over.
   */
  boolean isOverLimit() {
    return failures() >= MAX_FAILURES;
  }

  @Override
  public void close() {
    mark.putLong(BUSY_AT, 0);
  }
}

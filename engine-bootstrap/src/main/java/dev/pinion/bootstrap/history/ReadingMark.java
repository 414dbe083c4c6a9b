package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.process.DataSubfolder;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Which instance is being read, in a file that outlives the process: when that ends in the middle,
 * its successor knows where. An end from outside, such as a kill of the whole engine, says nothing
 * about the instance. A store into mapped memory, no system call. One thread.
 */
final class ReadingMark implements AutoCloseable {
  /** Failures of the process at one instance after which that is passed over. */
  static final int MAX_FAILURES = 3;

  /** Instances that must be read without an end of the process for it to count as well again. */
  private static final int SOUND_INSTANCES = 200;

  private static final int BYTES = 64;
  private static final int BUSY_AT = 0;
  private static final int INSTANCE_AT = 8;
  private static final int ENDS_AT = 16;
  private static final int FAILED_AT = 24;
  private static final int FAILURES_AT = 32;

  private final MappedByteBuffer mark;
  private int sound;

  private ReadingMark(MappedByteBuffer mark) {
    this.mark = mark;
  }

  /**
   * Opens a mark, and counts an end of the process that it tells of.
   *
   * @param file made when it is not there
   * @param failed whether that process is known to have failed by itself
   */
  static ReadingMark open(Path file, boolean failed) throws IOException {
    DataSubfolder.make(Objects.requireNonNull(file.getParent(), "a folder"));
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ReadingMark opened = new ReadingMark(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
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

  /** An instance is read now. */
  void reads(long instance) {
    if (ends() > 0 && mark.getLong(INSTANCE_AT) != instance) {
      sound++;
    }
    mark.putLong(INSTANCE_AT, instance);
    mark.putLong(BUSY_AT, 1);
  }

  /** Nothing is read now, but what was read is not written: an end while it waits says nothing. */
  void waits() {
    mark.putLong(BUSY_AT, 0);
  }

  /** Nothing is read now, and what was read is written. */
  void rests() {
    mark.putLong(BUSY_AT, 0);
    if (sound >= SOUND_INSTANCES) {
      isSound();
    }
  }

  /** Everything is read that there is: earlier ends do not count any more. */
  void isSound() {
    sound = 0;
    mark.putLong(ENDS_AT, 0);
    mark.putLong(FAILURES_AT, 0);
    mark.putLong(FAILED_AT, -1);
  }

  /** How often the process ended while it read, for whatever reason, since it last was well. */
  long ends() {
    return mark.getLong(ENDS_AT);
  }

  /** How often in a row the process failed at the {@linkplain #failedAt instance}. */
  long failures() {
    return mark.getLong(FAILURES_AT);
  }

  /** The instance at which the process failed last. */
  long failedAt() {
    return mark.getLong(FAILED_AT);
  }

  /** Whether the process has failed at an instance so often that it is to be passed over. */
  boolean isDeadly() {
    return failures() >= MAX_FAILURES;
  }

  @Override
  public void close() {
    mark.putLong(BUSY_AT, 0);
  }
}

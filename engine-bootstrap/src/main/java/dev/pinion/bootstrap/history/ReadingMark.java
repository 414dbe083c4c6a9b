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
 * its successor knows where. A store into mapped memory, no system call. One thread.
 */
final class ReadingMark implements AutoCloseable {
  /** Ends of the process at one instance after which that is passed over. */
  static final int MAX_DEATHS = 3;

  /** Instances that must be read without an end of the process for it to count as well again. */
  private static final int SOUND_INSTANCES = 200;

  private static final int BYTES = 64;
  private static final int BUSY_AT = 0;
  private static final int INSTANCE_AT = 8;
  private static final int DEATHS_AT = 16;
  private static final int DEAD_AT = 24;
  private static final int DEAD_TIMES_AT = 32;

  private final MappedByteBuffer mark;
  private int sound;

  private ReadingMark(MappedByteBuffer mark) {
    this.mark = mark;
  }

  /**
   * Opens a mark, and counts an end of the process that it tells of.
   *
   * @param file made when it is not there
   */
  static ReadingMark open(Path file) throws IOException {
    DataSubfolder.make(Objects.requireNonNull(file.getParent(), "a folder"));
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ReadingMark opened = new ReadingMark(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
      opened.countDeath();
      return opened;
    }
  }

  private void countDeath() {
    if (mark.getLong(BUSY_AT) == 0) {
      return;
    }
    long instance = mark.getLong(INSTANCE_AT);
    boolean again = instance == mark.getLong(DEAD_AT);
    mark.putLong(DEAD_TIMES_AT, again ? mark.getLong(DEAD_TIMES_AT) + 1 : 1);
    mark.putLong(DEAD_AT, instance);
    mark.putLong(DEATHS_AT, mark.getLong(DEATHS_AT) + 1);
    mark.putLong(BUSY_AT, 0);
  }

  /** An instance is read now. */
  void reads(long instance) {
    if (deaths() > 0 && mark.getLong(INSTANCE_AT) != instance) {
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

  /** Everything is read that there is: ends before do not count any more. */
  void isSound() {
    sound = 0;
    mark.putLong(DEATHS_AT, 0);
    mark.putLong(DEAD_TIMES_AT, 0);
    mark.putLong(DEAD_AT, -1);
  }

  /** How often the process ended while it read, since it last was well. */
  long deaths() {
    return mark.getLong(DEATHS_AT);
  }

  /** The instance at which the process last ended. */
  long lastDeath() {
    return mark.getLong(DEAD_AT);
  }

  /** Whether the process has ended at its last instance so often that it is to be passed over. */
  boolean isDeadly() {
    return mark.getLong(DEAD_TIMES_AT) >= MAX_DEATHS;
  }

  @Override
  public void close() {
    mark.putLong(BUSY_AT, 0);
  }
}

package dev.pinion.core.journal.store;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/** Content of a simulated file: for readers, on disk, and the sectors that a force would write. */
final class SimulatedFile {
  static final int SECTOR = 512;

  byte[] seen = new byte[0];
  private byte[] onDisk = new byte[0];
  private final BitSet dirty = new BitSet();

  SimulatedFile copy() {
    SimulatedFile copy = new SimulatedFile();
    copy.seen = seen.clone();
    copy.onDisk = onDisk.clone();
    copy.dirty.or(dirty);
    return copy;
  }

  /** Sets the content for readers and on disk. */
  void become(byte[] content) {
    seen = content.clone();
    onDisk = content.clone();
    dirty.clear();
  }

  void write(byte[] bytes, int count, long offset) {
    int begin = (int) offset;
    if (count == 0) {
      return;
    }
    if (begin + count > seen.length) {
      seen = Arrays.copyOf(seen, begin + count);
    }
    System.arraycopy(bytes, 0, seen, begin, count);
    dirty.set(begin / SECTOR, (begin + count - 1) / SECTOR + 1);
  }

  void force() {
    onDisk = Arrays.copyOf(onDisk, seen.length);
    dirty.stream().forEach(this::keep);
    dirty.clear();
  }

  /** Fails a force as Linux does: the pages count as clean and are still visible. */
  void failForce() {
    dirty.clear();
  }

  private void keep(int sector) {
    int begin = sector * SECTOR;
    int end = Math.min(begin + SECTOR, Math.min(seen.length, onDisk.length));
    if (begin < end) {
      System.arraycopy(seen, begin, onDisk, begin, end - begin);
    }
  }

  /** Drops unforced data: each dirty sector may have been written all the same. */
  void losePower(Random random) {
    if (random.nextBoolean()) {
      onDisk = Arrays.copyOf(onDisk, seen.length);
    }
    double kept = random.nextInt(4) / 3.0;
    dirty.stream().filter(_ -> random.nextDouble() < kept).forEach(this::keep);
    dirty.clear();
    seen = onDisk.clone();
  }
}

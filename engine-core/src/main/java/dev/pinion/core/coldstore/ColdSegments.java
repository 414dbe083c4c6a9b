package dev.pinion.core.coldstore;

import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.ScratchFile;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for one kernel's {@link BlockColdStore}: unlinked files of the data folder, or memory off
 * the heap where there is no data folder. One segment is made ahead of its use, by a thread that
 * may wait for the disk.
 *
 * <pre>
 *   kernel ──want──▶ asks ──▶ make (any other thread) ──spare──▶ kernel
 * </pre>
 */
public final class ColdSegments implements BlockColdStore.SegmentSource {
  private static final Logger LOG = LoggerFactory.getLogger(ColdSegments.class);

  /** Divisor: room in memory is this part of the heap's size; the JVM bounds it by that size. */
  private static final int PARTS_OF_HEAP = 4;

  /** Time until room is searched again after none was found: a failed search may take long. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final @Nullable Path file;
  private final int segmentBytes;
  private final long leftBytes;
  private final int maxSegments;
  private final AtomicReference<@Nullable MemorySegment> spare = new AtomicReference<>();
  private volatile int made;
  private volatile boolean full;
  private long fullSinceNanos;
  private volatile boolean wanted;

  /** Arranges a call of {@link #make}; null while the thread that wants a segment makes it. */
  private volatile @Nullable Runnable maker;

  private ColdSegments(@Nullable Path file, int segmentBytes, long maxBytes, long leftBytes) {
    this.file = file;
    this.segmentBytes = segmentBytes;
    this.leftBytes = leftBytes;
    this.maxSegments = (int) Math.min(Integer.MAX_VALUE, maxBytes / segmentBytes);
  }

  /**
   * Room on the disk, in smaller files on a small volume.
   *
   * @param file the name that each file has while it is made
   * @param maxBytes most bytes, except for the needs of a recovery
   * @param leftBytes bytes of the disk left to others, above all to the journal
   */
  public static ColdSegments onDisk(Path file, long maxBytes, long leftBytes) {
    return onDisk(file, maxBytes, leftBytes, FileStorage.volumeBytes(folder(file)));
  }

  /** The same on a volume of a given size. */
  static ColdSegments onDisk(Path file, long maxBytes, long leftBytes, long volumeBytes) {
    return new ColdSegments(file, VolumeShares.coldSegmentBytes(volumeBytes), maxBytes, leftBytes);
  }

  private static Path folder(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a folder");
  }

  /** Room in memory off the heap, at most a part of the heap's size. */
  public static ColdSegments inMemory(long maxBytes) {
    long share = Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP;
    return new ColdSegments(null, BlockColdStore.SEGMENT_BYTES, Math.min(maxBytes, share), 0);
  }

  /** From now on another thread makes segments on request. Any thread. */
  public void onWanted(Runnable ask) {
    maker = ask;
  }

  @Override
  public int segmentBytes() {
    return segmentBytes;
  }

  @Override
  public @Nullable MemorySegment poll() {
    return spare.getAndSet(null);
  }

  @Override
  public void want() {
    Runnable ask = maker;
    if (ask == null) {
      wanted = true;
      make();
    } else if (!wanted && spare.get() == null && made < maxSegments) {
      wanted = true;
      if (!full) { // otherwise the next call of make finds whether there is room again
        ask.run();
      }
    }
  }

  /** Makes a segment if one is wanted and there is room. Waits for the disk. */
  public synchronized void make() {
    if (!wanted || spare.get() != null || !mayMakeMore()) {
      wanted = false;
      return;
    }
    if (full && Clock.system().nanoTime() - fullSinceNanos < AGAIN_NANOS) {
      return;
    }
    try {
      spare.set(segment());
      made++;
      full = false;
      wanted = false;
    } catch (IOException | OutOfMemoryError e) {
      if (!full) {
        String where = file == null ? "memory off the heap" : file.toString();
        LOG.warn(
            "no room in {} for values that wait: they stay on the heap: {}", where, e.getMessage());
      }
      full = true;
      fullSinceNanos = Clock.system().nanoTime();
    }
  }

  private boolean mayMakeMore() {
    return made < maxSegments || (maker == null && file != null);
  }

  private MemorySegment segment() throws IOException {
    if (file == null) {
      return Arena.ofAuto().allocate(segmentBytes, Long.BYTES);
    }
    long usable = Files.getFileStore(folder(file)).getUsableSpace();
    if (usable < leftBytes + segmentBytes) {
      throw new NoSpaceException(
          "keep " + leftBytes + " bytes beside " + file,
          new IOException("the disk has " + usable + " bytes"));
    }
    return ScratchFile.map(file, segmentBytes);
  }
}

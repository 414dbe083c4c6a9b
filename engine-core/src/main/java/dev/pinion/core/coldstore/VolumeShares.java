package dev.pinion.core.coldstore;

import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.KernelLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares of the kernels of an engine in a small volume, so that journals and their snapshots fit on
 * it.
 */
public final class VolumeShares {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeShares.class);

  /**
   * Divisor: results of ended instances take at most this part of a volume. They are stored twice,
   * off the heap and in the snapshot, and once more while the next snapshot is made.
   */
  private static final int PART_FOR_ENDED = 16;

  /** Divisor: everything off the heap takes at most this part of a volume. */
  private static final int PART_OFF_THE_HEAP = 8;

  /** Divisor: a file of values off the heap takes at most this part of a volume. */
  private static final int PART_OF_COLD_SEGMENT = 64;

  private static final int LEAST_COLD_SEGMENT_BYTES = 1 << 20;

  /** Segments for which values off the heap leave room: more than the least of a journal. */
  private static final int SEGMENTS_LEFT = 4;

  /** Divisor: they leave at most this part of a volume. */
  private static final int PART_LEFT = 4;

  private static final int BATCH_BYTES = 1 << 20;

  /** Bytes of a segment besides its longest record. */
  private static final int BESIDE_BYTES = 64 << 10;

  /** Divisor: a segment takes at most this part of a volume, unless a record would not fit. */
  private static final int PART_OF_SEGMENT = 16;

  private VolumeShares() {}

  /**
   * Limits of a journal such that all input within the limits fits into a record, and two records
   * into a file unless the volume is small.
   *
   * @param volumeBytes size of the volume; {@link Long#MAX_VALUE} when that is not known
   */
  public static LogLimits logLimits(EngineLimits limits, long volumeBytes) {
    long record = limits.maxRecordBytes();
    long ample = Math.max(limits.journal().segmentBytes(), 2 * record);
    // several segments must fit a small volume, so that deleting some helps
    long fair = Math.max(volumeBytes / PART_OF_SEGMENT, record + BESIDE_BYTES);
    long segment = Math.min(ample, fair);
    return new LogLimits((int) (segment + 7) & ~7, (int) record, BATCH_BYTES);
  }

  /**
   * Bytes of the disk that values off the heap leave to journals.
   *
   * @param segmentBytes size of a file of a journal
   */
  public static long leftBytes(long segmentBytes, long volumeBytes) {
    return Math.min(SEGMENTS_LEFT * segmentBytes, volumeBytes / PART_LEFT);
  }

  /**
   * The size of a file of {@link ColdSegments}: a power of two from 1 to 16 MiB.
   *
   * @param volumeBytes size of the volume; {@link Long#MAX_VALUE} when that is not known
   */
  static int coldSegmentBytes(long volumeBytes) {
    long fair = Long.highestOneBit(volumeBytes / PART_OF_COLD_SEGMENT);
    return Math.clamp(fair, LEAST_COLD_SEGMENT_BYTES, BlockColdStore.SEGMENT_BYTES);
  }

  /**
   * The limits of each kernel.
   *
   * @param volumeBytes size of the volume; {@link Long#MAX_VALUE} when that is not known
   * @param sharers kernels that share the volume
   */
  public static EngineLimits kernelLimits(EngineLimits limits, long volumeBytes, int sharers) {
    long ended = volumeBytes / PART_FOR_ENDED / sharers;
    long cold = volumeBytes / PART_OFF_THE_HEAP / sharers;
    KernelLimits kernelLimits = limits.kernel();
    Map<String, Integer> lowered = new LinkedHashMap<>();
    lower(lowered, "kernel.maxEndedBytes", kernelLimits.maxEndedBytes(), ended);
    lower(lowered, "kernel.maxEndedColdBytes", kernelLimits.maxEndedColdBytes(), ended);
    lower(lowered, "kernel.maxColdBytes", kernelLimits.maxColdBytes(), cold);
    if (lowered.isEmpty()) {
      return limits;
    }
    LOG.info(
        "the volume of the data has {} MiB and {} kernels: limits of each are lowered to {}",
        volumeBytes >> 20,
        sharers,
        lowered);
    return limits.with(lowered);
  }

  private static void lower(Map<String, Integer> lowered, String limit, int wanted, long fair) {
    if (fair < wanted) {
      lowered.put(limit, (int) fair);
    }
  }
}

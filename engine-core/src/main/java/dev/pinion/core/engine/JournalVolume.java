package dev.pinion.core.engine;

import dev.pinion.core.coldstore.ColdSegments;
import dev.pinion.core.coldstore.VolumeShares;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.EngineSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Shares of the volume that holds the journal.
 *
 * @param log bounds of the log
 * @param limits limits of the kernels, lowered where the volume is small
 * @param leftBytes bytes that values off the heap leave to the next segments of the journal
 */
record JournalVolume(LogLimits log, EngineLimits limits, long leftBytes) {
  /**
   * The shares on the volume of a folder.
   *
   * @param kernels kernels of this replica
   */
  static JournalVolume of(EngineSettings settings, Path root, int kernels) throws IOException {
    long volumeBytes = FileStorage.volumeBytes(root);
    LogLimits log = VolumeShares.logLimits(settings.limits(), volumeBytes);
    int sharers = settings.entrance().replicaGroup().slots() * kernels;
    return new JournalVolume(
        log,
        VolumeShares.kernelLimits(settings.limits(), volumeBytes, sharers),
        VolumeShares.leftBytes(log.segmentBytes(), volumeBytes));
  }

  /** Files for a kernel's values off the heap, beside the folder of the journal. */
  ColdSegments cold(Path journal, int kernel) {
    return ColdSegments.onDisk(
        journal.resolveSibling("cold-" + journal.getFileName() + "-" + kernel),
        limits.kernel().maxColdBytes(),
        leftBytes);
  }
}

package dev.pinion.core.engine;

import dev.pinion.core.journal.JournalCounters;
import dev.pinion.core.metrics.MetricFamilies;
import java.util.List;

/** Metrics of an engine's journal and of what keeps room for it. Any thread. */
final class StorageMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private StorageMetrics() {}

  static void add(SafeStore safeStore, MetricFamilies families) {
    JournalCounters journal = safeStore.counters();
    families.histogram(
        "pinion_journal_fsync_duration_seconds",
        "Seconds that the journal took to write a group of records and force it to disk.",
        List.of(journal.forceNanos()));
    families.histogram(
        "pinion_journal_records_per_fsync",
        "Records that shared a force to disk.",
        List.of(journal.groups()));
    families.counter(
        "pinion_journal_bytes_total",
        "Bytes of the records appended to the journal, without their frames.",
        journal.bytes());
    families.gauge(
        "pinion_journal_full",
        "Whether starts are refused as the disk has no room for the journal and its snapshots.",
        safeStore.hasRoom() ? 0 : 1);
    families.counter(
        "pinion_housekeeping_failures_total",
        "Chores around the journal that failed and are tried again.",
        safeStore.maintenanceFailures());
    families.gauge(
        "pinion_snapshot_bytes",
        "Size of the latest snapshot of this process; 0 before the first.",
        safeStore.latestSnapshotBytes());
    families.gauge(
        "pinion_recovery_duration_seconds",
        "Seconds that the start took to restore instances from the journal.",
        safeStore.recovery().nanos() / NANOS_PER_SECOND);
    families.gauge(
        "pinion_recovery_records",
        "Records that this restored instances from, beside its snapshot.",
        safeStore.recovery().records());
    long free = safeStore.usableBytes();
    if (free < Long.MAX_VALUE) {
      families.gauge(
          "pinion_disk_free_bytes", "Bytes that may still be written to the data folder.", free);
    }
  }
}

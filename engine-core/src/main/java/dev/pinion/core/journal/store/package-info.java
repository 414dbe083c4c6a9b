/**
 * The storage half of the journal: an append-only log of opaque records with one writer, in one
 * directory, that never silently loses what it forced to disk. Knows nothing of events or kernels.
 *
 * <p>{@link RecordLog} writes and replays; {@link LogInspection} decides whether a directory opens
 * or is refused; {@link dev.pinion.core.journal.disk.Storage} is the port to the disk, so that
 * tests can simulate a loss of power. Formats and reasons: docs/adr/0010-journal-store.md.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal.store;

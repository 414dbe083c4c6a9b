/**
 * A log read back: {@code JournalReplay} at start, {@code JournalFollower} afterwards, quarantine.
 * Each record goes to {@code kernel.replay.Recovery}, which rebuilds the instances of one kernel.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.recovery;

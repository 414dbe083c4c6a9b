/**
 * Recording of events: the port for kernels, the stage that gathers records into one commit ({@code
 * JournalWriter}), the port of the log that forces them to the disk, the form of records, and a
 * journal in memory for tests.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal;

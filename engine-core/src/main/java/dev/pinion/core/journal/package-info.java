/**
 * Recording of events: the port for kernels, the stage that writes, the port of the log behind it,
 * the form of records, and a journal in memory for tests.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal;

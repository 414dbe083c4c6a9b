/**
 * The instances of one kernel ({@code Recovery}) rebuilt from snapshots and records of the journal,
 * by the steps that a kernel takes: when it starts, when partitions arrive, and beside it, for the
 * history.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.replay;

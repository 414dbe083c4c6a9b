/**
 * The stage that owns instances: its lanes and duty cycle, admission and starts, effects on their
 * way out, queries, and partitions that move.
 *
 * <p>{@link dev.pinion.core.kernel.table} keeps the instances, {@link dev.pinion.core.kernel.step}
 * changes them, and {@link dev.pinion.core.kernel.replay} rebuilds them from the journal.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel;

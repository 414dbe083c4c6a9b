/** When and how snapshots are written. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.snapshot;

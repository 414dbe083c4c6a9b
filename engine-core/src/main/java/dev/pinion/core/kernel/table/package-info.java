/**
 * The instances of one kernel: those that run, those that have ended and are kept, the schedules
 * that they keep, and the keys under which they were started. Kernel thread only.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.table;

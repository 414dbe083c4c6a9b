/** Counters of what a kernel and its instances do. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.counters;

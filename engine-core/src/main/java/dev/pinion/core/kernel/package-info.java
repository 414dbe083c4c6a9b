/** Kernel: runs process graphs by pure steps from events to effects. No I/O, no clock, no locks. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel;

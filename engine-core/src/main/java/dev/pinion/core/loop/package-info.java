/** Event loops that host stages: one thread, one duty cycle, Netty I/O and lanes together. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.loop;

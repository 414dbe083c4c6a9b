/**
 * Stages and the bounded lanes between them, with counters and thread setup. Knows nothing of HTTP
 * or of processes.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.stage;

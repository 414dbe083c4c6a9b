/**
 * Stages and the lanes between them: who runs, who reads, how much fits. Knows nothing of HTTP or
 * of processes.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.stage;

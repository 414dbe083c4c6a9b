/** Keeps replicas running: heartbeats, restarts, orderly and forced stops. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.supervise;

/**
 * Messages between stages: commands, queries and events into the kernel, effects and replies out of
 * it. Immutable, no behaviour.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.message;

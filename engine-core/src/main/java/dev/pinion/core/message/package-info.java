/**
 * Messages between stages: events into the kernel, effects and replies out of it. Immutable, no
 * behaviour.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.message;

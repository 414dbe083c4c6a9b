/**
 * The other replicas of the same engine: their places, their partitions, and requests to them.
 * Lists are merged where they are asked for, in {@code api.ListOperation}.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.peer;

/** The other replicas of the same engine: their places, their partitions, and requests to them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.peer;

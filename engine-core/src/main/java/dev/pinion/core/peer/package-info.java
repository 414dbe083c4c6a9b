/** The other replicas of the same engine: who they are, what they own, how they are asked. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.peer;

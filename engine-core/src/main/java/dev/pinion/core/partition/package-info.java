/** Which replica and which kernel owns which partition: group, slots, claims. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.partition;

/** Tests of {@code workloads.load}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.load;

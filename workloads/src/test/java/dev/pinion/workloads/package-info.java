/** Tests of {@code workloads}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads;

/** Tests of {@code workloads.stub}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.stub;

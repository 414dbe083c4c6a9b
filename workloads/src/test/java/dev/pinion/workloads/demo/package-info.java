/** Tests of {@code workloads.demo}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.demo;

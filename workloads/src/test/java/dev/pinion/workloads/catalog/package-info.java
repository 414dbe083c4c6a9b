/** Tests of {@code workloads.catalog}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.catalog;

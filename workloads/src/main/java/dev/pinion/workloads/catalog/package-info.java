/** The benchmark workloads: definitions, inputs, and what must come of them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.catalog;

/** The benchmark workloads: definitions, inputs, and required outputs and calls. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.catalog;

/** Placement of replicas: a pure function from a machine and settings to a plan. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.placement;

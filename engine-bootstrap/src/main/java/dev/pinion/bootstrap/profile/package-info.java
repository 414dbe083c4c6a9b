/**
 * Presentation of recordings of replicas: call trees, the projection of the Globus paper, shares by
 * package, stage and task, and their comparison.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.profile;

package dev.pinion.core.model;

/**
 * What operators change about a deployed definition, and when it was deployed.
 *
 * @param enabled whether instances of it may start
 * @param deployedAtMillis time of its deployment, in milliseconds since the epoch
 */
public record DeploymentStatus(boolean enabled, long deployedAtMillis) {}

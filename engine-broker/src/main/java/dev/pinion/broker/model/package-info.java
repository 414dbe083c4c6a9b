/**
 * What the broker decides about: services and what they promise, tasks that they can answer,
 * processes as far as they matter for service levels, classes of service, and the ways in which a
 * task can be implemented. Values only; times in seconds, rates per second, costs in any one
 * currency.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.model;

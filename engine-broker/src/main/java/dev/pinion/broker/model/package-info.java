/**
 * The subject of the broker's decisions: services and their promises, their tasks, processes
 * reduced to their relevance for service levels, classes of service, and the implementations of
 * tasks. Values only; times in seconds, rates per second, costs in any one currency.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.model;

/**
 * Which concrete service answers for an abstract one.
 *
 * <p>The broker, which solves a linear program against the service levels promised and publishes a
 * binding table for each solution, is not built yet. What stands here is its place: {@link
 * dev.pinion.broker.UnboundSource}, which the replica gives the kernel, and which binds nothing, so
 * that a call of an abstract service faults and says that the service is not bound.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker;

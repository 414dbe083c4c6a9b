/**
 * Which concrete service answers for an abstract one.
 *
 * <p>The optimiser ({@link dev.pinion.broker.optimise}), admission of contracts ({@link
 * dev.pinion.broker.admission}) and the table of a plan ({@link dev.pinion.broker.binding}) are
 * built; that the engine binds by them is not. Until then its place is held by {@link
 * dev.pinion.broker.UnboundSource}, which the replica gives the kernel, and which binds nothing, so
 * that a call of an abstract service faults and says that the service is not bound.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker;

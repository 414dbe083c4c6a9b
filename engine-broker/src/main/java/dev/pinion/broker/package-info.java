/**
 * Selection of concrete services for abstract ones.
 *
 * <p>The optimiser ({@link dev.pinion.broker.optimise}) finds shares for all classes, {@link
 * dev.pinion.broker.registry} keeps services and published tables, and {@link
 * dev.pinion.broker.binding} makes the table that the kernel reads at each call. An engine in
 * memory has {@link dev.pinion.broker.binding.UnboundSource}, which binds nothing.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker;

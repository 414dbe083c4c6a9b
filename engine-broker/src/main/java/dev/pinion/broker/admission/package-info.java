/**
 * Whether a contract can be taken on: it can when one plan keeps what was promised to everybody,
 * the newcomer included, and under {@code profit} does not lose money by it.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.admission;

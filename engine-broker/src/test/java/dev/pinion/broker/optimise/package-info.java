/** Tests of the optimiser. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.optimise;

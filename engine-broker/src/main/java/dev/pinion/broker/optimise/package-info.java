/**
 * From a problem to a plan: the linear program of a problem, solved and proved by {@link
 * dev.pinion.broker.lp}, and the meaning of its solution for each class.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.optimise;

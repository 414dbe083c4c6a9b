/**
 * The second half of the broker's MAPE-K loop: rules that derive causes from observations ({@link
 * dev.pinion.broker.adapt.Analyst}), the gate at which they wait for a solution ({@link
 * dev.pinion.broker.adapt.SolveGate}), the observations that replace promises ({@link
 * dev.pinion.broker.adapt.Calibration}), and the decisions ({@link
 * dev.pinion.broker.adapt.Adaptation}).
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.adapt;

/**
 * The second half of the broker's MAPE-K loop: rules that make causes of observations ({@link
 * dev.pinion.broker.adapt.Analyst}), the gate that they wait at before a solution ({@link
 * dev.pinion.broker.adapt.SolveGate}), what solutions are made with instead of promises ({@link
 * dev.pinion.broker.adapt.Calibration}), and what was decided ({@link
 * dev.pinion.broker.adapt.Adaptation}).
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.adapt;

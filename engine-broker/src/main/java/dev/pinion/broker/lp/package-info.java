/**
 * Linear programs: what they are, who solves them, and why an answer may be believed.
 *
 * <p>No solver is trusted. {@link dev.pinion.broker.lp.VerifiedSolver} takes an answer only with a
 * proof: a point that keeps every row, and prices that show that no column, also of those the
 * solver never saw, can improve it. That there is no solution is believed only when the {@linkplain
 * dev.pinion.broker.lp.ElasticProgram elastic program} has been solved and proved in the same way.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.lp;

/**
 * Linear programs, their solvers, and the proofs of their answers.
 *
 * <p>No solver is trusted. {@link dev.pinion.broker.lp.VerifiedSolver} takes an answer only with a
 * proof: a point that keeps every row, and prices that show that no column, not even one the solver
 * never saw, can improve it. Infeasibility is accepted only when the {@linkplain
 * dev.pinion.broker.lp.ElasticProgram elastic program} has been solved and proved in the same way.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.lp;

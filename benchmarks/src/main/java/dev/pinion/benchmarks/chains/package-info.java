/**
 * Chains of handlers that do real work, served over HTTP to be measured, and what measures them.
 *
 * <pre>
 *   client ──message──▶ ChainServer ──▶ Chains ──▶ workers, or hosts behind a NATS server
 *          ◀──answer──              ◀── outcome
 * </pre>
 *
 * The work of a handler follows from a size, which {@link dev.pinion.benchmarks.chains.Calibration}
 * chooses for the time that is wanted.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.chains;

/**
 * Chains of handlers that do real work, served over HTTP for measurement, and their measurements.
 *
 * <pre>
 *   client ──message──▶ ChainServer ──▶ Chains ──▶ workers, or hosts behind a NATS server
 *          ◀──answer──              ◀── outcome
 * </pre>
 *
 * The work of a handler follows from a size, which {@link dev.pinion.benchmarks.chains.Calibration}
 * chooses for the wanted time.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.chains;

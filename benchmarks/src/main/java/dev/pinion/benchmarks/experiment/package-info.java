/**
 * Experiments: variants measured in interleaved rounds, so that a slow minute of the machine hits
 * all of them equally, and compared round by round.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiment;

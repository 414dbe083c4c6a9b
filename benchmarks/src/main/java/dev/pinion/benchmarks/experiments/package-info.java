/** What all experiment commands share: base command, options, findings. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments;

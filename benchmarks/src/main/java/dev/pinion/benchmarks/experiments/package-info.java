/** What experiments share: their description and options, the command that runs them, findings. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments;

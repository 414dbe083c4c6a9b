/** Experiments of the DHArch paper: handler chains. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.dharch;

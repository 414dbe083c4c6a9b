package dev.pinion.benchmarks.experiment;

/**
 * A named ratio.
 *
 * @param name name of the comparison
 * @param ratio middle and spread of the ratios within rounds
 * @param note caveats for the reader; empty for none
 */
public record Finding(String name, SampleSummary ratio, String note) {}

package dev.pinion.benchmarks.experiment;

/**
 * A ratio that somebody asked for by name.
 *
 * @param name what it compares
 * @param ratio middle and spread of the ratios within rounds
 * @param note what the reader must know before believing it; empty when nothing
 */
public record Finding(String name, Summary ratio, String note) {}

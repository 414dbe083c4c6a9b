package dev.pinion.benchmarks.report;

import dev.pinion.benchmarks.experiment.ExperimentDescription;

/**
 * The experiment of a report.
 *
 * @param name its name
 * @param question question that this run of it answers
 * @param description its purpose and how to read it
 */
public record ReportSubject(String name, String question, ExperimentDescription description) {}

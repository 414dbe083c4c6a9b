/** Reports of experiments as files: a page, JSON and CSV; and two result sets side by side. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.report;

/**
 * Plots as SVG for reports: lines over a quantity, and intervals side by side. Own code, because
 * plots must follow the page's light or dark colours, which plotting libraries write as constants.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.chart;

package dev.pinion.core.diagram;

/**
 * A process as people draw it.
 *
 * @param title name of the definition
 * @param body its tasks
 */
public record Diagram(String title, Section body) {}

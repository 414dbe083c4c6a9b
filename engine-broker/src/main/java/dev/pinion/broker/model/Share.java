package dev.pinion.broker.model;

/**
 * An implementation, and its share of the invocations of a task by a class.
 *
 * @param implementation the implementation
 * @param fraction in (0, 1]; those of one task and class sum up to 1
 */
public record Share(Implementation implementation, double fraction) {}

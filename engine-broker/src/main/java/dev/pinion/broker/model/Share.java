package dev.pinion.broker.model;

/**
 * An implementation, and how much of the invocations of a task by a class it gets.
 *
 * @param implementation what is called
 * @param fraction in (0, 1]; those of one task and class sum up to 1
 */
public record Share(Implementation implementation, double fraction) {}

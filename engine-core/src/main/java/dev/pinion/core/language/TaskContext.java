package dev.pinion.core.language;

/**
 * The place of a task.
 *
 * @param variables names defined by enclosing loops and catches
 * @param flow targets of the flow from here
 */
record TaskContext(VisibleVariables variables, FlowTargets flow) {}

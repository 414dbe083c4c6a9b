package dev.pinion.core.language;

import dev.pinion.core.language.field.VisibleVariables;

/**
 * The place of a task.
 *
 * @param variables names defined by enclosing loops and catches
 * @param flow targets of the flow from here
 */
record TaskContext(VisibleVariables variables, FlowTargets flow) {}

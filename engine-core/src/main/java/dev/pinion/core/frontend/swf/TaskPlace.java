package dev.pinion.core.frontend.swf;

/**
 * Where a task stands.
 *
 * @param variables what enclosing loops and catches name
 * @param flow where the flow can go from here
 */
record TaskPlace(Variables variables, FlowTargets flow) {}

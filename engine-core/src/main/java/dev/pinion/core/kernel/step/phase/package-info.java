/**
 * The phases that a task passes, what was evaluated in the present one, and what its expressions
 * see of the task.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.phase;

/** What tasks and schedules remember of the events, messages and runs that they were told of. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.event;

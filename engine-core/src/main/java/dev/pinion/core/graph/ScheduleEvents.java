package dev.pinion.core.graph;

import dev.pinion.core.model.EventForm;

/**
 * The events that start runs of a definition.
 *
 * @param to which events, and how many of them for each run; at least one
 * @param read the part of an event that a run gets
 */
public record ScheduleEvents(EventConsumption to, EventForm read) {}

package dev.pinion.core.journal;

import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;

/**
 * One event of one instance, journalled before it is applied.
 *
 * @param id the instance
 * @param sequence number of events applied to the instance before this one
 * @param nowNanos monotonic time at which the event is applied: the origin of its timers
 * @param epochMillis wall-clock time at which the event is applied: the present time for its
 *     expressions
 * @param advances number of times that the instance had run one of its activities when the event
 *     came; an event may come while the instance still works on earlier ones, and a replay runs
 *     exactly as far before it applies the event
 * @param event the event
 */
public record JournalRecord(
    InstanceId id, int sequence, long nowNanos, long epochMillis, long advances, Event event) {}

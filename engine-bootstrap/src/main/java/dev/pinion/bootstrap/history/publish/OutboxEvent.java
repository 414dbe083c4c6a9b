package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.model.HistoryEvent;

/**
 * An event that waits for subscribers.
 *
 * @param position its position in the outbox; ascending, with gaps
 * @param kind kind of the event
 * @param namespace of the definition
 * @param definition its name
 * @param text the CloudEvent as JSON
 */
public record OutboxEvent(
    long position, HistoryEvent.EventKind kind, String namespace, String definition, String text) {}

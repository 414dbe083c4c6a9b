package dev.pinion.bootstrap.publish;

import dev.pinion.core.model.HistoryEvent;

/**
 * An event that waits for subscribers.
 *
 * @param position its place in the outbox; ascends, with gaps
 * @param kind what happened
 * @param namespace of the definition
 * @param definition its name
 * @param text the CloudEvent as JSON
 */
public record OutboxEvent(
    long position, HistoryEvent.Kind kind, String namespace, String definition, String text) {}

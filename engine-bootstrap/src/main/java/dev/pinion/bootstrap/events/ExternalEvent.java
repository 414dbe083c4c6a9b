package dev.pinion.bootstrap.events;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One external event. Immutable.
 *
 * @param source its origin, as named by its producer
 * @param id unique within the source
 * @param type its kind
 * @param subject its subject
 * @param data the present data of the subject; null when the subject was deleted
 * @param digest SHA-256, hexadecimal, of all attributes and the data
 */
record ExternalEvent(
    String source, String id, String type, String subject, @Nullable Payload data, String digest) {}

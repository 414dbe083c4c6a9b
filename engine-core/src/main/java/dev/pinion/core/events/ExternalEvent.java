package dev.pinion.core.events;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One external event. Immutable.
 *
 * @param source its origin, as named by its producer
 * @param id unique within the source
 * @param type its kind
 * @param subject its subject, or null
 * @param data the present data of the subject as JSON; null when the subject was deleted, or the
 *     data are no JSON
 * @param hasRow whether it is about the row of a subject: it has one, and its data, if any, are
 *     JSON
 * @param event the event in the JSON format of CloudEvents
 * @param json the bytes of this format
 * @param digest SHA-256, hexadecimal, of all attributes and the data
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExternalEvent(
    String source,
    String id,
    String type,
    @Nullable String subject,
    @Nullable Payload data,
    boolean hasRow,
    Payload event,
    byte[] json,
    String digest) {}

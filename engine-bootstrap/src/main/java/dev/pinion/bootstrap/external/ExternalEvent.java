package dev.pinion.bootstrap.external;

import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One event of the outside. Immutable.
 *
 * @param source where it happened, as its producer names it
 * @param id unique within the source
 * @param type what kind of thing happened
 * @param subject what it happened to
 * @param data what is known of the subject now; null when it is gone
 * @param digest SHA-256, hexadecimal, of all attributes and the data
 */
record ExternalEvent(
    String source, String id, String type, String subject, @Nullable Payload data, String digest) {}

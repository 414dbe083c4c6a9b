package dev.pinion.bootstrap.publish;

import org.jspecify.annotations.Nullable;

/**
 * How far a subscriber is.
 *
 * @param subscription its id
 * @param position the last event of the outbox that it has got or is not to get
 * @param delivered events that it has answered for since this was last written down
 * @param skipped events that could not be made for it since then
 * @param failure what the last attempt failed with, or null when it did not
 */
public record Progress(
    String subscription, long position, long delivered, long skipped, @Nullable String failure) {}

package dev.pinion.bootstrap.history.publish;

import org.jspecify.annotations.Nullable;

/**
 * Progress of a subscriber.
 *
 * @param subscription its id
 * @param position last event of the outbox that it has received or will not receive
 * @param delivered events that it has acknowledged since the last stored progress
 * @param skipped events that could not be converted for it since then
 * @param failure failure of the last attempt, or null
 */
public record DeliveryProgress(
    String subscription, long position, long delivered, long skipped, @Nullable String failure) {}

package dev.pinion.core.graph;

import dev.pinion.core.model.Expression;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a task consumes (DSL reference, "AsyncAPI Subscription Lifetime"). Each
 * expression is evaluated on the message. Immutable.
 *
 * @param filter condition of messages that count, or null for every message
 * @param amount number of messages after which it ends; {@link #UNBOUNDED} for no number
 * @param condition {@code while}: it goes on after a message as long as this holds; or null
 * @param until it ends before the next message as soon as this holds; or null
 * @param durationNanos longest time from its beginning to its end, or null
 */
public record MessageConsumption(
    @Nullable Expression<Boolean> filter,
    int amount,
    @Nullable Expression<Boolean> condition,
    @Nullable Expression<Boolean> until,
    @Nullable Expression<Long> durationNanos) {
  /** No number of messages. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;
}

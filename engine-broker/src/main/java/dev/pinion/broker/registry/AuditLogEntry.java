package dev.pinion.broker.registry;

import java.time.Instant;

/**
 * Decision about a change.
 *
 * @param at time
 * @param change the requested change, such as {@code PUT slas/a}
 * @param outcome its outcome
 * @param reason the reason of a refusal; otherwise empty
 * @param plan version of the table then
 */
public record AuditLogEntry(Instant at, String change, String outcome, String reason, long plan) {}

package dev.pinion.broker.contract;

import java.time.Instant;

/**
 * What was decided about a change.
 *
 * @param at when
 * @param change what was asked for, such as {@code PUT slas/a}
 * @param outcome what came of it
 * @param reason why it was refused; empty when it was not
 * @param plan version of the table then
 */
public record DeskEntry(Instant at, String change, String outcome, String reason, long plan) {}

package dev.pinion.handlers.config;

import dev.pinion.handlers.plan.ChainPlan;
import org.jspecify.annotations.Nullable;

/**
 * A chain of a document.
 *
 * @param plan its plan; its handlers are made and must be closed by the user of the chain
 * @param at its messages; null when it is only used by name
 * @param byClients whether clients may name it for their requests; only a chain without an
 *     attachment
 */
public record ConfiguredChain(ChainPlan plan, @Nullable Attachment at, boolean byClients) {}

package dev.pinion.handlers.config;

import dev.pinion.handlers.plan.ChainPlan;
import org.jspecify.annotations.Nullable;

/**
 * A chain of a document.
 *
 * @param plan its plan; its handlers are made and have to be closed by whoever uses it
 * @param at which messages it is for; null when it is only used by name
 * @param byClients whether clients may name it for their requests; only one that is for none else
 */
public record ConfiguredChain(ChainPlan plan, @Nullable Attachment at, boolean byClients) {}

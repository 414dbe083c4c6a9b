/**
 * Decides which handlers of a chain run one after another and which in parallel, with reasons.
 * Plans are immutable: a chain is changed by replacing its plan.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.plan;

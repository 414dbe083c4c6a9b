/**
 * Which handlers of a chain run one after another and which side by side, and why. Plans are
 * immutable: a chain is changed by replacing its plan.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.plan;

/**
 * jq: parser, budgeted evaluator and the templates that turn definition fragments into calls,
 * errors and durations.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.expr;

/**
 * Selects the implementation for each invocation: the shares of a plan, distributed by counters
 * that stay close to them at any time. On the path of every call; nothing here waits, locks or
 * allocates.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.binding;

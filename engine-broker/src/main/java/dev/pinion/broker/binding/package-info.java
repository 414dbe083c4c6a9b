/**
 * Which implementation a single invocation gets: the shares of a plan, dealt out by counters that
 * stay close to them at any time. On the path of every call; nothing here waits, locks or
 * allocates.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.binding;

/**
 * Derives the behavioural model of the broker from deployed definitions: the abstract services that
 * a request is expected to invoke, with their frequency, order and concurrency.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.behaviour;

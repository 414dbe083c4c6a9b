/**
 * Makes the behavioural model of the broker from deployed definitions: which abstract services a
 * request is expected to invoke how often, in what order and beside what else.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.behaviour;

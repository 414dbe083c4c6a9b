/**
 * What providers have registered, and the table that replicas bind by, as they are kept in the data
 * folder. Nothing here solves anything.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.registry;

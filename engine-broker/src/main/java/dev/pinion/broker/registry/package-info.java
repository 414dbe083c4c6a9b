/**
 * Registrations of providers, and the table by which replicas bind, as stored in the data folder.
 * Nothing here solves anything.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.registry;

/** Operations over HTTP: instances, definitions, history, subscriptions, events, broker, health. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api;

/**
 * Cost of binding calls by the broker: an engine with a broker beside one without, a service that
 * binds over HTTP, and a storm of changes of the registry.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.broker;

/** Builds the engine of a replica from its settings: ports, handlers, bindings. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.assembly;

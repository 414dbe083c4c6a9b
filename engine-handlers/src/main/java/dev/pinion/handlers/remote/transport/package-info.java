/** How frames travel and are stored: the port and NATS behind it. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote.transport;

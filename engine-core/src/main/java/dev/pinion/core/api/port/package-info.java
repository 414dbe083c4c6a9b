/** The interfaces of Request Handlers to the other parts of a replica. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api.port;

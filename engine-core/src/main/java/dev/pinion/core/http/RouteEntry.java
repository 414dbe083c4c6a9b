package dev.pinion.core.http;

/**
 * A route of the table.
 *
 * @param route the requests that it takes
 * @param endpoint answers them
 */
public record RouteEntry(Route route, Endpoint endpoint) {}

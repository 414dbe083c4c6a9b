/**
 * Strict HTTP/1.1 server: decoder, connections, exchange, router, problems, OpenAPI. Nothing of the
 * engine.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.http;

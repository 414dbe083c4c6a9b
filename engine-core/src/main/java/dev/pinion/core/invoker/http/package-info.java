/**
 * The pooled HTTP/1.1 client: names, connections, TLS, wire format. {@code ServicePool} keeps the
 * connections to one service, {@code ServicePools} those of one event loop, {@code
 * ConnectionBudget} bounds all.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.http;

/** The pooled HTTP/1.1 client: names, connections, TLS, wire format. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.http;

/**
 * Invoker: makes HTTP calls over pooled connections and reports each outcome once.
 *
 * <p>{@link dev.pinion.core.invoker.Invoker} is the stage; {@link
 * dev.pinion.core.invoker.http.NettyServiceCaller} makes its calls over HTTP/1.1 on the same event
 * loop. Everything except the counters belongs to that loop's thread.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker;

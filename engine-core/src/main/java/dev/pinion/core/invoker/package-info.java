/** Invoker: performs HTTP calls over pooled connections and reports each outcome once. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker;

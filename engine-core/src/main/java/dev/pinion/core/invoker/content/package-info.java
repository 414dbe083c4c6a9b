/** Bodies of requests and responses, by their media types. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.content;

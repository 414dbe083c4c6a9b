/** Tests of {@code core.invoker.http}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.http;

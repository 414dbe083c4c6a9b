/** Calls with secrets: adds what they need to requests, as late as possible. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.authentication;

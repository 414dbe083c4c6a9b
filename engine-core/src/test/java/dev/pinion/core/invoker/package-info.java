/** Tests of the Invoker, against scripted services on raw sockets. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker;

/** Netty's transports for the stub and the load generator. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.transport;

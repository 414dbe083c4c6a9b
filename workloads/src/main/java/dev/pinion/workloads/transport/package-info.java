/** Which of Netty's transports the stub and the load generator run on. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads.transport;

/** The client of agents that speak the Agent2Agent protocol. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.a2a;

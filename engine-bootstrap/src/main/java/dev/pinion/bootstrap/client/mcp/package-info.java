/** The client of servers of the Model Context Protocol. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.mcp;

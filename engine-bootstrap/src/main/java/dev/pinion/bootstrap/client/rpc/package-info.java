/** JSON-RPC over HTTP, whose answers may be streams of events. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.rpc;

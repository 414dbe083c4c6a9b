/**
 * Handlers in other processes: a {@link dev.pinion.handlers.remote.RemoteHandlerProvider} sends
 * messages to {@link dev.pinion.handlers.remote.HandlerHost}s over a {@link
 * dev.pinion.handlers.remote.transport.FrameTransport} that may lose, repeat, delay and forge
 * frames. No report of the transport counts as a record: only the answers of hosts count. The
 * protocol is in docs/handlers-remote.md.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote;

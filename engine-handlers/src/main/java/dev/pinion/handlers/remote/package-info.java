/**
 * Handlers in other processes: a {@link dev.pinion.handlers.remote.RemotePlaces} hands messages to
 * {@link dev.pinion.handlers.remote.HandlerHost}s over a {@link
 * dev.pinion.handlers.remote.Transport} that may lose, repeat, delay and forge whatever it carries.
 * Nothing that the transport says counts as a record: what is known of a message is what a host has
 * answered. The protocol is in docs/handlers-remote.md.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote;

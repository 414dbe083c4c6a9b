package dev.pinion.handlers.remote;

/**
 * How the way to handler hosts is now, for people who look after it.
 *
 * @param connected whether there is a connection to a NATS server
 * @param hosts that live, as far as can be told here: those that said so within {@code
 *     handlers.remote.silenceMillis}, at most {@code handlers.remote.maxHosts}
 * @param statistics what has happened to messages until now
 */
public record RemoteHealth(boolean connected, int hosts, RemoteStatistics statistics) {}

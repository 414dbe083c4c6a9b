package dev.pinion.core.http;

/**
 * How clients reach the servers of a replica.
 *
 * @param hosts names and addresses by which they may call it
 * @param connections their open connections
 * @param connectionReturn destination of their connections while the replica drains
 */
public record ClientAccess(
    AllowedHosts hosts, ClientConnections connections, ConnectionReturn connectionReturn) {}

package dev.pinion.core.settings;

import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.partition.ReplicaGroup;
import java.net.InetSocketAddress;

/**
 * The way in which clients connect.
 *
 * @param address address that clients connect to; port 0 for a free one
 * @param acceptMode the listener on it
 * @param replicaGroup this replica's place among the others behind the same address
 * @param hosts names and addresses by which clients may call it
 */
public record ListenSpec(
    InetSocketAddress address,
    AcceptMode acceptMode,
    ReplicaGroup replicaGroup,
    AllowedHosts hosts) {
  /** A way for clients that call it by a name or an address of loopback. */
  public ListenSpec(InetSocketAddress address, AcceptMode acceptMode, ReplicaGroup replicaGroup) {
    this(address, acceptMode, replicaGroup, AllowedHosts.LOOPBACK);
  }

  /** The listener. */
  public enum AcceptMode {
    /** This replica alone. */
    DIRECT,
    /** This replica alone, on a socket that the parent keeps open across restarts. */
    INHERITED,
    /** Every replica, each with a separate socket on the same address (SO_REUSEPORT). */
    REUSEPORT,
    /** The parent, which hands accepted connections over. */
    HANDOVER
  }

  /** A way on which this replica listens alone. */
  public static ListenSpec own(InetSocketAddress address) {
    return new ListenSpec(address, AcceptMode.DIRECT, ReplicaGroup.ALONE);
  }
}

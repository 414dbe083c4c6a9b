package dev.pinion.core.settings;

import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.partition.ReplicaGroup;
import java.net.InetSocketAddress;

/**
 * The way in which clients connect.
 *
 * @param address address that clients connect to; port 0 for a free one
 * @param acceptMode the listener on it
 * @param neighbourhood this replica's place among the others behind the same address
 * @param hosts names and addresses by which clients may call it
 */
public record ListenSpec(
    InetSocketAddress address,
    AcceptMode acceptMode,
    ReplicaGroup neighbourhood,
    AllowedHosts hosts) {
  /** An entrance for clients that call it by a name or an address of loopback. */
  public ListenSpec(InetSocketAddress address, AcceptMode door, ReplicaGroup neighbourhood) {
    this(address, door, neighbourhood, AllowedHosts.LOOPBACK);
  }

  /** The listener. */
  public enum AcceptMode {
    /** This replica alone. */
    OWN,
    /** This replica alone, on a socket that the parent keeps open across restarts. */
    INHERITED,
    /** Every replica, each with a separate socket on the same address (SO_REUSEPORT). */
    SHARED,
    /** The parent, which hands accepted connections over. */
    HANDED
  }

  /** An entrance on which this replica listens alone. */
  public static ListenSpec own(InetSocketAddress address) {
    return new ListenSpec(address, AcceptMode.OWN, ReplicaGroup.ALONE);
  }
}

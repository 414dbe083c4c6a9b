package dev.pinion.core.engine;

import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.peer.Neighbourhood;
import java.net.InetSocketAddress;

/**
 * The way in which clients connect.
 *
 * @param address address that clients connect to; port 0 for a free one
 * @param door the listener on it
 * @param neighbourhood this replica's place among the others behind the same address
 * @param hosts names and addresses by which clients may call it
 */
public record Entrance(
    InetSocketAddress address, Door door, Neighbourhood neighbourhood, OwnHosts hosts) {
  /** An entrance for clients that call it by a name or an address of loopback. */
  public Entrance(InetSocketAddress address, Door door, Neighbourhood neighbourhood) {
    this(address, door, neighbourhood, OwnHosts.LOOPBACK);
  }

  /** The listener. */
  public enum Door {
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
  public static Entrance own(InetSocketAddress address) {
    return new Entrance(address, Door.OWN, Neighbourhood.ALONE);
  }
}

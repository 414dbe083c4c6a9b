package dev.pinion.core.engine;

import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.peer.Neighbourhood;
import java.net.InetSocketAddress;

/**
 * How clients come in.
 *
 * @param address where clients connect to; port 0 for a free one
 * @param door who listens there
 * @param neighbourhood this replica's place among the others behind the same address
 * @param hosts names and addresses under which clients may call it
 */
public record Entrance(
    InetSocketAddress address, Door door, Neighbourhood neighbourhood, OwnHosts hosts) {
  /** An entrance for clients that call it by a name or an address of loopback. */
  public Entrance(InetSocketAddress address, Door door, Neighbourhood neighbourhood) {
    this(address, door, neighbourhood, OwnHosts.LOOPBACK);
  }

  /** Who listens. */
  public enum Door {
    /** This replica alone. */
    OWN,
    /** This replica alone, at a socket that the parent keeps open while it is started again. */
    INHERITED,
    /** Every replica, each with a socket of its own at the same address (SO_REUSEPORT). */
    SHARED,
    /** The parent, which hands accepted connections over. */
    HANDED
  }

  /** Listening alone. */
  public static Entrance own(InetSocketAddress address) {
    return new Entrance(address, Door.OWN, Neighbourhood.ALONE);
  }
}

package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.ReplicaProtocol;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.core.engine.Entrance;
import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.peer.Assignment;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.StartPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts a replica's settings about its place among the others into the engine's terms. */
final class Neighbours {
  private Neighbours() {}

  /** The place of a replica in its settings. */
  static Neighbourhood neighbourhood(ReplicaSettings settings) {
    if (settings.dispatch() == Dispatch.DIRECT) {
      return Neighbourhood.ALONE;
    }
    Neighbourhood neighbourhood =
        new Neighbourhood(
            settings.index(),
            settings.slots(),
            Path.of(settings.runDirectory()),
            policy(settings.dispatch()),
            weights(settings));
    if (!settings.assignment().isEmpty()) {
      neighbourhood.assign(Assignment.parse(settings.assignment(), settings.slots()));
    }
    return neighbourhood;
  }

  /** CPUs of the replica of each slot; 1 each when all have equally many. */
  private static List<Integer> weights(ReplicaSettings settings) {
    List<Integer> weights = new ArrayList<>();
    for (int slot = 0; slot < settings.slots(); slot++) {
      weights.add(settings.cpus().getOrDefault(Integer.toString(slot), 1));
    }
    return weights;
  }

  /**
   * Entrance of clients to a replica.
   *
   * @throws IOException when the host is not an address
   */
  static Entrance entrance(ReplicaSettings settings, Neighbourhood neighbourhood)
      throws IOException {
    return new Entrance(
        new InetSocketAddress(InetAddress.getByName(settings.host()), settings.port()),
        door(settings.dispatch()),
        neighbourhood,
        hosts(settings));
  }

  /** The listed hosts, and the host for late responses of services. */
  private static OwnHosts hosts(ReplicaSettings settings) {
    OwnHosts listed = OwnHosts.parse(settings.publicHosts());
    String callback = settings.binding().callbackUrl();
    return callback.isEmpty() ? listed : listed.with(URI.create(callback));
  }

  /**
   * Sets the replicas of a {@link ReplicaProtocol#PEERS} line. A loop, since it comes right after
   * readiness, when linking the lambdas of a stream would delay the first request.
   */
  static void told(Neighbourhood neighbourhood, String line) {
    Set<Integer> serving = new HashSet<>();
    for (String index : line.substring(ReplicaProtocol.PEERS.length()).strip().split(" ", -1)) {
      if (!index.isEmpty()) {
        serving.add(Integer.valueOf(index));
      }
    }
    neighbourhood.serving(serving);
  }

  /** Sets the assignment of slots of a {@link ReplicaProtocol#SLOTS} line. */
  static void assigned(Neighbourhood neighbourhood, String line) {
    if (neighbourhood.shared()) {
      String text = line.substring(ReplicaProtocol.SLOTS.length());
      neighbourhood.assign(Assignment.parse(text, neighbourhood.slots()));
    }
  }

  private static StartPolicy policy(Dispatch dispatch) {
    return switch (dispatch) {
      case DIRECT, INHERITED, HANDOVER, REUSEPORT -> StartPolicy.LOCAL;
      case ROUND_ROBIN -> StartPolicy.IN_TURN;
      case LEAST_LOADED -> StartPolicy.LEAST_LOADED;
    };
  }

  private static Entrance.Door door(Dispatch dispatch) {
    return switch (dispatch) {
      case DIRECT -> Entrance.Door.OWN;
      case INHERITED -> Entrance.Door.INHERITED;
      case REUSEPORT -> Entrance.Door.SHARED;
      case HANDOVER, ROUND_ROBIN, LEAST_LOADED -> Entrance.Door.HANDED;
    };
  }
}

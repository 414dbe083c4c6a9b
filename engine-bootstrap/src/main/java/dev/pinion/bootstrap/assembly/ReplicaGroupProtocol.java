package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.BrokerKey;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.SlotAssignment;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.settings.ListenSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts a replica's settings about its place among the others into the engine's terms. */
public final class ReplicaGroupProtocol {
  private ReplicaGroupProtocol() {}

  /** The place of a replica in its settings. */
  public static ReplicaGroup group(EffectiveSettings settings) {
    if (settings.get(ReplicaKey.DISPATCH) == DispatchMode.DIRECT) {
      return ReplicaGroup.ALONE;
    }
    ReplicaGroup replicaGroup =
        new ReplicaGroup(
            settings.get(ReplicaKey.INDEX),
            settings.get(ReplicaKey.SLOTS),
            Path.of(settings.get(ReplicaKey.RUN_DIRECTORY)),
            policy(settings.get(ReplicaKey.DISPATCH)),
            weights(settings));
    String assignment = settings.get(ReplicaKey.ASSIGNMENT);
    if (!assignment.isEmpty()) {
      replicaGroup.assign(SlotAssignment.parse(assignment, settings.get(ReplicaKey.SLOTS)));
    }
    return replicaGroup;
  }

  /** CPUs of the replica of each slot; 1 each when all have equally many. */
  private static List<Integer> weights(EffectiveSettings settings) {
    Map<String, Integer> cpus = settings.get(ReplicaKey.CPUS);
    List<Integer> weights = new ArrayList<>();
    for (int slot = 0; slot < settings.get(ReplicaKey.SLOTS); slot++) {
      weights.add(cpus.getOrDefault(Integer.toString(slot), 1));
    }
    return weights;
  }

  /**
   * Entrance of clients to a replica.
   *
   * @throws IOException when the host is not an address
   */
  static ListenSpec listenSpec(EffectiveSettings settings, ReplicaGroup replicaGroup)
      throws IOException {
    return new ListenSpec(
        new InetSocketAddress(
            InetAddress.getByName(settings.get(SettingKey.HOST)), settings.get(ReplicaKey.PORT)),
        acceptMode(settings.get(ReplicaKey.DISPATCH)),
        replicaGroup,
        hosts(settings));
  }

  /** The listed hosts, and the host for late responses of services. */
  private static AllowedHosts hosts(EffectiveSettings settings) {
    AllowedHosts listed = settings.get(SettingKey.PUBLIC_HOSTS);
    String callback = settings.get(BrokerKey.CALLBACK_URL);
    return callback.isEmpty() ? listed : listed.with(URI.create(callback));
  }

  /**
   * Sets the replicas of a {@link ReplicaProtocol#PEERS} line. A loop, since it comes right after
   * readiness, when linking the lambdas of a stream would delay the first request.
   */
  public static void updatePeers(ReplicaGroup replicaGroup, String line) {
    Set<Integer> serving = new HashSet<>();
    for (String index : line.substring(ReplicaProtocol.PEERS.length()).strip().split(" ", -1)) {
      if (!index.isEmpty()) {
        serving.add(Integer.valueOf(index));
      }
    }
    replicaGroup.setServing(serving);
  }

  /** Sets the assignment of slots of a {@link ReplicaProtocol#SLOTS} line. */
  public static void updateSlots(ReplicaGroup replicaGroup, String line) {
    if (replicaGroup.shared()) {
      String text = line.substring(ReplicaProtocol.SLOTS.length());
      replicaGroup.assign(SlotAssignment.parse(text, replicaGroup.slots()));
    }
  }

  private static StartPolicy policy(DispatchMode dispatchMode) {
    return switch (dispatchMode) {
      case DIRECT, INHERITED, HANDOVER, REUSEPORT -> StartPolicy.LOCAL;
      case ROUND_ROBIN -> StartPolicy.IN_TURN;
      case LEAST_LOADED -> StartPolicy.LEAST_LOADED;
    };
  }

  private static ListenSpec.AcceptMode acceptMode(DispatchMode dispatchMode) {
    return switch (dispatchMode) {
      case DIRECT -> ListenSpec.AcceptMode.DIRECT;
      case INHERITED -> ListenSpec.AcceptMode.INHERITED;
      case REUSEPORT -> ListenSpec.AcceptMode.REUSEPORT;
      case HANDOVER, ROUND_ROBIN, LEAST_LOADED -> ListenSpec.AcceptMode.HANDOVER;
    };
  }
}

package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaSettings;
import dev.pinion.bootstrap.settings.ServeSettings;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Creates the settings of planned replicas.
 *
 * @param settings settings of the engine
 * @param identity identity of the data folder
 * @param places the plan's replicas
 * @param dispatch dispatch of requests to replicas
 * @param port the port of clients; 0 when the replica chooses
 * @param runDirectory folder of the sockets between parent and replicas
 */
record ReplicaSettingsFactory(
    ServeSettings settings,
    DataDirectoryIdentity identity,
    List<ReplicaSpec> places,
    DispatchMode dispatch,
    int port,
    Path runDirectory) {
  ReplicaSettings of(ReplicaSpec spec) {
    boolean pin = spec.pinned() && MachineProbe.onLinux();
    return new ReplicaSettings(
        spec.index(),
        places.size(),
        "",
        dispatch,
        runDirectory.toString(),
        settings.host(),
        port,
        settings.data().toString(),
        identity.words(),
        settings.durability().label(),
        spec.layout().toString(),
        spec.waiting().toString(),
        pin ? spec.pins() : Map.of(),
        pin ? spec.ancillary().toString() : "",
        settings.trust() == null ? "" : settings.trust().toString(),
        settings.shutdownTimeout().toMillis(),
        settings.limits(),
        cpus(),
        settings.history(),
        settings.handlers(),
        settings.binding(),
        settings.publicHosts().toString());
  }

  /** CPUs by place where replicas differ in size; empty otherwise. */
  private Map<String, Integer> cpus() {
    Map<String, Integer> cpus = new HashMap<>();
    for (ReplicaSpec place : places) {
      cpus.put(Integer.toString(place.index()), place.cpus().size());
    }
    return Set.copyOf(cpus.values()).size() < 2 ? Map.of() : cpus;
  }
}

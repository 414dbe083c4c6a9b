package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.settings.SettingValues;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of the parent's children: those of the engine, and places in the plan.
 *
 * @param settings settings of the engine
 * @param identity identity of the data folder
 * @param places the plan's replicas
 * @param dispatch dispatch of requests to replicas
 * @param port the port of clients; 0 when the replica chooses
 * @param runDirectory folder of the sockets between parent and replicas
 */
record ChildSettings(
    EffectiveSettings settings,
    DataDirectoryIdentity identity,
    List<ReplicaSpec> places,
    DispatchMode dispatch,
    int port,
    Path runDirectory) {
  /** The first starts of all replicas, by place. */
  List<ReplicaStart> starts() {
    return places.stream().map(this::first).toList();
  }

  private ReplicaStart first(ReplicaSpec spec) {
    return ReplicaStart.first(spec.index(), dispatch, port);
  }

  /** Settings of the history and of the broker. */
  EffectiveSettings ofOthers() {
    return of(first(places.getFirst()));
  }

  /** Settings of a start of a replica. */
  EffectiveSettings of(ReplicaStart start) {
    ReplicaSpec spec = places.get(start.index());
    boolean pin = spec.pinned() && MachineProbe.onLinux();
    return settings
        .change()
        .put(ReplicaKey.INDEX, start.index())
        .put(ReplicaKey.SLOTS, places.size())
        .put(ReplicaKey.ASSIGNMENT, start.assignment())
        .put(ReplicaKey.DISPATCH, start.dispatch().label())
        .put(ReplicaKey.PORT, start.port())
        .put(ReplicaKey.RUN_DIRECTORY, runDirectory)
        .put(ReplicaKey.DATA_IDENTITY, identity.words())
        .put(ReplicaKey.LAYOUT, spec.layout())
        .put(ReplicaKey.WAITING, spec.waiting())
        .put(ReplicaKey.PINS, pin ? SettingValues.text(spec.pins()) : "")
        .put(ReplicaKey.ANCILLARY_CPUS, pin ? spec.ancillary() : "")
        .put(ReplicaKey.CPUS, SettingValues.text(cpus()))
        .build();
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

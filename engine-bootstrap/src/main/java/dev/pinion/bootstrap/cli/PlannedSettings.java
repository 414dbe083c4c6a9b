package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.Dispatch;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.nio.file.Path;
import java.util.Map;

/**
 * Makes what planned replicas are told at their start.
 *
 * @param settings settings of the engine
 * @param slots number of places in the plan
 * @param dispatch how requests come to them
 * @param port the port of clients; 0 when the replica chooses
 * @param runDirectory folder of the sockets by which parent and replicas meet
 */
record PlannedSettings(
    ServeSettings settings, int slots, Dispatch dispatch, int port, Path runDirectory) {
  ReplicaSettings of(ReplicaSpec spec) {
    boolean pin = spec.pinned() && MachineProbe.onLinux();
    return new ReplicaSettings(
        spec.index(),
        slots,
        "",
        dispatch,
        runDirectory.toString(),
        settings.host(),
        port,
        settings.data().toString(),
        settings.durability().label(),
        spec.layout().toString(),
        spec.waiting().toString(),
        pin ? spec.pins() : Map.of(),
        pin ? spec.ancillary().toString() : "",
        settings.trust() == null ? "" : settings.trust().toString(),
        settings.shutdownTimeout().toMillis(),
        settings.limits(),
        settings.history(),
        settings.handlers(),
        settings.binding());
  }
}

package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.protocol.BindingSettings;
import dev.pinion.bootstrap.protocol.BrokerMode;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.HandlerSettings;
import dev.pinion.bootstrap.protocol.HistorySettings;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.model.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of {@code serve}, checked.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 for any free one
 * @param publicHosts hosts under which clients reach the engine, besides loopback
 * @param dispatch dispatch of requests to several replicas
 * @param adminPort port for operators, or null for none
 * @param data folder of all durable data
 * @param durability durability of instances whose definition states none
 * @param history database of the history of instances
 * @param historyHeapBytes heap of the history process
 * @param broker whether a broker runs beside the replicas
 * @param brokerStandby whether there is a standby broker
 * @param binding treatment of callers and definitions that the broker does not know
 * @param placement request for the plan
 * @param shutdownTimeout time to finish work under way
 * @param restartWindow time in which five deaths of a replica are a crash loop
 * @param bestEffort whether to start unconfined where CPUs cannot be assigned
 * @param jvmOptions further options for the JVM of a replica
 * @param readyFile file for the ready line, or null
 * @param trust PEM file of certificates that calls trust besides the system's, or null
 * @param handlers the chains of handlers
 * @param limits limits of the engine that differ from their defaults
 */
public record ServeSettings(
    String host,
    int port,
    AllowedHosts publicHosts,
    DispatchMode dispatch,
    @Nullable AdminPort adminPort,
    Path data,
    Durability durability,
    HistorySettings history,
    long historyHeapBytes,
    BrokerMode broker,
    boolean brokerStandby,
    BindingSettings binding,
    PlacementSettings placement,
    Duration shutdownTimeout,
    Duration restartWindow,
    boolean bestEffort,
    List<String> jvmOptions,
    @Nullable Path readyFile,
    @Nullable Path trust,
    HandlerSettings handlers,
    Map<String, Integer> limits) {
  /** Copies lists and maps. */
  public ServeSettings {
    jvmOptions = List.copyOf(jvmOptions);
    limits = Map.copyOf(limits);
  }
}

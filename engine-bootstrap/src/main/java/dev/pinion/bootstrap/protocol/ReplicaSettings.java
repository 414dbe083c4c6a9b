package dev.pinion.bootstrap.protocol;

import dev.pinion.bootstrap.datadir.DataDirectoryIdentity;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Settings of a replica at its start.
 *
 * @param index its place in the plan
 * @param slots number of places in the plan, whether or not a replica runs in each
 * @param assignment replica of each slot, as in {@link ReplicaProtocol#SLOTS}; empty when each
 *     replica holds its own
 * @param dispatch dispatch of requests to it
 * @param runDirectory folder of the sockets between parent and replicas; empty for a single replica
 * @param host address to listen on
 * @param port port to listen on; 0 for any free one
 * @param dataDirectory folder of all durable data
 * @param dataIdentity identity of that folder in the format of {@link DataDirectoryIdentity#words};
 *     empty when any folder is accepted
 * @param durability durability of instances whose definition states none: {@code sync}, {@code
 *     async} or {@code none}
 * @param layout event loops, in the format of {@code Layout}
 * @param waiting mode of idle event loops: {@code park}, {@code yield} or {@code spin} for all, or
 *     by stage as in {@code request=park,kernel=spin,invoker=park}, and {@code handlers=spin:N}
 * @param pins CPUs of event loops that are pinned, and of workers of handlers that spin, by the
 *     name of their thread, such as {@code kernel-0}
 * @param ancillaryCpus CPUs of all other threads of the engine when event loops are pinned, as a
 *     list
 * @param trust PEM file of certificates that calls trust besides the system's; empty for none
 * @param shutdownMillis longest time of draining
 * @param limits limits of the engine that differ from their defaults, by name
 * @param cpus number of CPUs of the replica of each slot, by the slot's number, where they differ;
 *     empty when all have equally many
 * @param history database of the history of instances
 * @param handlers the chains of handlers
 * @param binding treatment of callers and definitions that the broker does not know
 * @param publicHosts hosts under which clients reach the engine besides loopback, separated by
 *     commas
 */
public record ReplicaSettings(
    int index,
    int slots,
    String assignment,
    DispatchMode dispatch,
    String runDirectory,
    String host,
    int port,
    String dataDirectory,
    String dataIdentity,
    String durability,
    String layout,
    String waiting,
    Map<String, Integer> pins,
    String ancillaryCpus,
    String trust,
    long shutdownMillis,
    Map<String, Integer> limits,
    Map<String, Integer> cpus,
    HistorySettings history,
    HandlerSettings handlers,
    BindingSettings binding,
    String publicHosts) {
  /** Copies the maps. */
  public ReplicaSettings {
    pins = Map.copyOf(pins);
    limits = Map.copyOf(limits);
    cpus = Map.copyOf(cpus);
  }

  /** Settings of a replica with any data folder, no history and no handlers. */
  public ReplicaSettings(
      int index,
      int slots,
      String assignment,
      DispatchMode dispatch,
      String runDirectory,
      String host,
      int port,
      String dataDirectory,
      String durability,
      String layout,
      String waiting,
      Map<String, Integer> pins,
      String ancillaryCpus,
      String trust,
      long shutdownMillis,
      Map<String, Integer> limits) {
    this(
        index,
        slots,
        assignment,
        dispatch,
        runDirectory,
        host,
        port,
        dataDirectory,
        "",
        durability,
        layout,
        waiting,
        pins,
        ancillaryCpus,
        trust,
        shutdownMillis,
        limits,
        Map.of(),
        HistorySettings.NONE,
        HandlerSettings.NONE,
        BindingSettings.OPEN,
        "");
  }

  /** These settings with another port. */
  public ReplicaSettings withPort(int newPort) {
    return new ReplicaSettings(
        index,
        slots,
        assignment,
        dispatch,
        runDirectory,
        host,
        newPort,
        dataDirectory,
        dataIdentity,
        durability,
        layout,
        waiting,
        pins,
        ancillaryCpus,
        trust,
        shutdownMillis,
        limits,
        cpus,
        history,
        handlers,
        binding,
        publicHosts);
  }

  /** These settings with another assignment of slots. */
  public ReplicaSettings withAssignment(String told) {
    return new ReplicaSettings(
        index,
        slots,
        told,
        dispatch,
        runDirectory,
        host,
        port,
        dataDirectory,
        dataIdentity,
        durability,
        layout,
        waiting,
        pins,
        ancillaryCpus,
        trust,
        shutdownMillis,
        limits,
        cpus,
        history,
        handlers,
        binding,
        publicHosts);
  }

  /** One line of JSON. */
  public String toJson() {
    return "{\"index\":"
        + index
        + ",\"slots\":"
        + slots
        + ",\"assignment\":"
        + JsonString.quoted(assignment)
        + ",\"dispatch\":"
        + JsonString.quoted(dispatch.label())
        + ",\"runDirectory\":"
        + JsonString.quoted(runDirectory)
        + ",\"host\":"
        + JsonString.quoted(host)
        + ",\"port\":"
        + port
        + ",\"dataDirectory\":"
        + JsonString.quoted(dataDirectory)
        + ",\"dataIdentity\":"
        + JsonString.quoted(dataIdentity)
        + ",\"durability\":"
        + JsonString.quoted(durability)
        + ",\"layout\":"
        + JsonString.quoted(layout)
        + ",\"waiting\":"
        + JsonString.quoted(waiting)
        + ",\"pins\":"
        + object(pins)
        + ",\"ancillaryCpus\":"
        + JsonString.quoted(ancillaryCpus)
        + ",\"trust\":"
        + JsonString.quoted(trust)
        + ",\"shutdownMillis\":"
        + shutdownMillis
        + ",\"limits\":"
        + object(limits)
        + ",\"cpus\":"
        + object(cpus)
        + ",\"history\":"
        + JsonString.quoted(history.database())
        + ",\"historyUser\":"
        + JsonString.quoted(history.user())
        + ",\"historyPassword\":"
        + JsonString.quoted(history.password())
        + ",\"sinks\":"
        + JsonString.quoted(history.sinks())
        + ",\"handlers\":"
        + JsonString.quoted(handlers.documents())
        + ",\"handlersNats\":"
        + JsonString.quoted(handlers.nats())
        + ",\"handlersPath\":"
        + JsonString.quoted(handlers.path())
        + ",\"brokerCallers\":"
        + JsonString.quoted(binding.callers())
        + ",\"brokerCallerHeader\":"
        + JsonString.quoted(binding.callerHeader())
        + ",\"brokerUnserved\":"
        + JsonString.quoted(binding.unserved())
        + ",\"brokerCallbackUrl\":"
        + JsonString.quoted(binding.callbackUrl())
        + ",\"brokerThrottle\":"
        + JsonString.quoted(binding.throttle())
        + ",\"publicHosts\":"
        + JsonString.quoted(publicHosts)
        + "}";
  }

  private static String object(Map<String, Integer> numbers) {
    return new TreeMap<>(numbers)
        .entrySet().stream()
            .map(entry -> JsonString.quoted(entry.getKey()) + ":" + entry.getValue())
            .collect(Collectors.joining(",", "{", "}"));
  }
}

package dev.pinion.bootstrap.process;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a replica is told at its start.
 *
 * @param index its place in the plan
 * @param host address to listen on
 * @param port port to listen on; 0 for any that is free
 * @param dataDirectory folder of everything durable
 * @param layout event loops, in the form of {@code Layout}
 * @param waiting how event loops wait: {@code park} or {@code spin}
 * @param pinnedCpus CPUs that event loops are pinned to one by one, as a list; empty for no pinning
 * @param ancillaryCpus CPUs of all other threads of the engine when event loops are pinned
 * @param trust PEM file of certificates that calls trust besides the system's; empty for none
 * @param shutdownMillis time that draining may take
 * @param limits limits of the engine that differ from their defaults, by name
 */
public record ReplicaSettings(
    int index,
    String host,
    int port,
    String dataDirectory,
    String layout,
    String waiting,
    String pinnedCpus,
    String ancillaryCpus,
    String trust,
    long shutdownMillis,
    Map<String, Integer> limits) {
  /** Copies the map. */
  public ReplicaSettings {
    limits = Map.copyOf(limits);
  }

  /** The same settings with another port. */
  public ReplicaSettings withPort(int newPort) {
    return new ReplicaSettings(
        index,
        host,
        newPort,
        dataDirectory,
        layout,
        waiting,
        pinnedCpus,
        ancillaryCpus,
        trust,
        shutdownMillis,
        limits);
  }

  /** One line of JSON. */
  public String toJson() {
    String changed =
        new TreeMap<>(limits)
            .entrySet().stream()
                .map(entry -> JsonText.quoted(entry.getKey()) + ":" + entry.getValue())
                .collect(Collectors.joining(","));
    return "{\"index\":"
        + index
        + ",\"host\":"
        + JsonText.quoted(host)
        + ",\"port\":"
        + port
        + ",\"dataDirectory\":"
        + JsonText.quoted(dataDirectory)
        + ",\"layout\":"
        + JsonText.quoted(layout)
        + ",\"waiting\":"
        + JsonText.quoted(waiting)
        + ",\"pinnedCpus\":"
        + JsonText.quoted(pinnedCpus)
        + ",\"ancillaryCpus\":"
        + JsonText.quoted(ancillaryCpus)
        + ",\"trust\":"
        + JsonText.quoted(trust)
        + ",\"shutdownMillis\":"
        + shutdownMillis
        + ",\"limits\":{"
        + changed
        + "}}";
  }
}

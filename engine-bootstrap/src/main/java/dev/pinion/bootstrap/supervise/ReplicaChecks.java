package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.Beat;
import dev.pinion.bootstrap.process.HealthCheck;
import java.util.List;
import java.util.stream.Collectors;

/** What a supervisor knows of the health of its replicas, check by check. */
final class ReplicaChecks {
  static final String DISK = "disk";

  private ReplicaChecks() {}

  /** The checks of replicas, which its thread asks for. */
  static List<HealthCheck> of(List<SupervisedReplica> replicas, long nowNs) {
    List<SupervisedReplica> serving =
        replicas.stream().filter(each -> each.state() == ReplicaState.READY).toList();
    return List.of(serving(replicas, serving, nowNs), disk(serving));
  }

  private static HealthCheck serving(
      List<SupervisedReplica> replicas, List<SupervisedReplica> serving, long nowNs) {
    List<SupervisedReplica> wanted =
        replicas.stream().filter(each -> each.state() != ReplicaState.STOPPED).toList();
    String others =
        wanted.stream()
            .filter(each -> each.state() != ReplicaState.READY)
            .map(each -> "; " + each.status(nowNs))
            .collect(Collectors.joining());
    String detail = serving.size() + " of " + wanted.size() + " replicas serve" + others;
    return new HealthCheck("replicas", !serving.isEmpty(), true, detail);
  }

  /** Starts are taken as long as one replica that serves has room. */
  private static HealthCheck disk(List<SupervisedReplica> serving) {
    List<Integer> full =
        serving.stream()
            .filter(
                each -> {
                  Beat beat = each.lastBeat();
                  return beat != null && beat.diskFull();
                })
            .map(SupervisedReplica::index)
            .toList();
    boolean ready = serving.isEmpty() || full.size() < serving.size();
    return new HealthCheck(
        DISK,
        ready,
        true,
        full.isEmpty()
            ? "no replica lacks room for its journal"
            : "there is no room for the journal of replicas "
                + full
                + ": starts there are answered 507 until there is");
  }
}

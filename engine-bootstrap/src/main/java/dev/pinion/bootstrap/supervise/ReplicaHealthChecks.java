package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Health of the replicas by their supervisor, check by check. */
final class ReplicaHealthChecks {
  private static final String DISK = "disk";
  private static final String LIMITS = "limits";

  /** Checks for which each replica uses its own state instead. */
  static final Set<String> OWN = Set.of(DISK, LIMITS);

  private ReplicaHealthChecks() {}

  /** The checks of replicas; called by the supervisor's thread. */
  static List<HealthCheck> of(List<SupervisedReplica> replicas, long nowNs) {
    List<SupervisedReplica> serving =
        replicas.stream().filter(each -> each.state() == ReplicaState.READY).toList();
    return List.of(serving(replicas, serving, nowNs), disk(serving), limits(serving));
  }

  private static HealthCheck serving(
      List<SupervisedReplica> replicas, List<SupervisedReplica> serving, long nowNs) {
    List<SupervisedReplica> wanted =
        replicas.stream().filter(each -> each.state() != ReplicaState.STOPPED).toList();
    String others =
        wanted.stream()
            .filter(each -> each.state() != ReplicaState.READY)
            .map(each -> "; " + each.statusText(nowNs))
            .collect(Collectors.joining());
    String detail = serving.size() + " of " + wanted.size() + " replicas serve" + others;
    return new HealthCheck("replicas", !serving.isEmpty(), true, detail);
  }

  private static HealthCheck disk(List<SupervisedReplica> serving) {
    List<SupervisedReplica> full = those(serving, Heartbeat::diskFull);
    return new HealthCheck(
        DISK,
        someTakeStarts(serving, full),
        true,
        full.isEmpty()
            ? "no replica lacks room for its journal"
            : "there is no room for the journal of replicas "
                + full.stream().map(SupervisedReplica::index).toList()
                + ": starts there are answered 507 until there is");
  }

  private static HealthCheck limits(List<SupervisedReplica> serving) {
    List<SupervisedReplica> refusing =
        those(serving, heartbeat -> !heartbeat.refusingLimit().isEmpty());
    String each =
        refusing.stream()
            .map(SupervisedReplica::lastBeat)
            .filter(Objects::nonNull)
            .map(Heartbeat::refusingLimit)
            .distinct()
            .collect(Collectors.joining(", "));
    return new HealthCheck(
        LIMITS,
        someTakeStarts(serving, refusing),
        true,
        refusing.isEmpty()
            ? "no limit refuses starts"
            : "replicas "
                + refusing.stream().map(SupervisedReplica::index).toList()
                + " have reached "
                + each
                + ": starts there are answered 503 until there is room");
  }

  private static List<SupervisedReplica> those(
      List<SupervisedReplica> serving, Predicate<Heartbeat> what) {
    return serving.stream()
        .filter(
            each -> {
              Heartbeat heartbeat = each.lastBeat();
              return heartbeat != null && what.test(heartbeat);
            })
        .toList();
  }

  private static boolean someTakeStarts(
      List<SupervisedReplica> serving, List<SupervisedReplica> refusing) {
    return serving.isEmpty() || refusing.size() < serving.size();
  }
}

package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.supervise.SupervisorListener.ServingReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Messages that keep all replicas informed: holders of slots, serving replicas, and failed checks.
 * Each is sent when it has changed. Used by the supervisor's thread only.
 */
final class ReplicaNotices {
  /** Time between two reports of the health of all. */
  private static final Duration CHECK_INTERVAL = ReplicaProtocol.HEARTBEAT_INTERVAL;

  private final List<SupervisedReplica> replicas;
  private final SupervisorListener listener;
  private final SlotTable slots;
  private Set<Integer> serving = Set.of();
  private Supplier<List<HealthCheck>> otherChecks = List::of;
  private List<HealthCheck> checks = List.of();

  /** Replicas that have received the present checks. */
  private Set<Integer> checked = Set.of();

  private long checkedNs;
  private boolean announced;

  /**
   * Notices to replicas that have received none.
   *
   * @param replicas a replica for each place, in their order
   * @param listener notified which replicas serve
   */
  ReplicaNotices(List<SupervisedReplica> replicas, SupervisorListener listener, long nowNs) {
    this.replicas = replicas;
    this.listener = listener;
    this.slots = new SlotTable(replicas.size(), standing());
    this.checkedNs = nowNs;
  }

  /** The table of slots, as in {@link ReplicaProtocol#SLOTS}. */
  String slots() {
    return slots.text();
  }

  private Set<Integer> standing() {
    return replicas.stream()
        .filter(SupervisedReplica::stands)
        .map(SupervisedReplica::index)
        .collect(Collectors.toSet());
  }

  /** Assigns slots to the replicas that stand, and sends the table to all. */
  void sendSlots() {
    if (slots.update(standing())) {
      String line = ReplicaProtocol.SLOTS + " " + slots.text();
      replicas.forEach(each -> each.send(line));
    }
  }

  /** Sends the serving replicas to those that serve or finish their work. */
  void sendPeers() {
    Set<Integer> now =
        replicas.stream()
            .filter(each -> each.state() == ReplicaState.READY)
            .map(SupervisedReplica::index)
            .collect(Collectors.toCollection(TreeSet::new));
    if (now.equals(serving)) {
      return;
    }
    serving = now;
    listener.onServingChanged(Set.copyOf(now));
    String line =
        now.stream()
            .map(String::valueOf)
            .collect(Collectors.joining(" ", ReplicaProtocol.PEERS + " ", ""))
            .strip();
    replicas.stream()
        .filter(each -> each.state() == ReplicaState.READY || each.state() == ReplicaState.DRAINING)
        .forEach(each -> each.send(line));
  }

  /** Notifies the listener once, when every replica serves or is broken. */
  void announce() {
    if (announced || serving.isEmpty() || !replicas.stream().allMatch(ReplicaNotices::settled)) {
      return;
    }
    announced = true;
    listener.onReady(
        replicas.stream()
            .filter(each -> each.state() == ReplicaState.READY)
            .map(each -> new ServingReplica(each.index(), each.start().port(), each.pid()))
            .toList());
  }

  private static boolean settled(SupervisedReplica replica) {
    return switch (replica.state()) {
      case READY, BROKEN, STOPPED -> true;
      case STARTING, WAITING, DRAINING -> false;
    };
  }

  /**
   * Sends a line to one replica.
   *
   * @return whether it serves, and so received the line
   */
  boolean sendTo(int index, String line) {
    List<SupervisedReplica> addressed =
        replicas.stream()
            .filter(each -> each.index() == index && each.state() == ReplicaState.READY)
            .toList();
    addressed.forEach(each -> each.send(line));
    return !addressed.isEmpty();
  }

  /** Called when a replica begins to serve: its new process has received no checks. */
  void onReady() {
    checked = Set.of();
  }

  /** Adds checks of others to those of replicas. */
  void addChecks(Supplier<List<HealthCheck>> others) {
    otherChecks = others;
  }

  /** Health of replicas and of added checks, check by check. */
  List<HealthCheck> checks(long nowNs) {
    List<HealthCheck> all = new ArrayList<>(ReplicaHealthChecks.of(replicas, nowNs));
    all.addAll(otherChecks.get());
    return all;
  }

  /** Sends checks to all serving replicas, so that their readiness can report failed ones. */
  void sendChecks(long nowNs) {
    if (nowNs - checkedNs < CHECK_INTERVAL.toNanos()) {
      return;
    }
    checkedNs = nowNs;
    List<HealthCheck> now = checks(nowNs);
    now.removeIf(each -> ReplicaHealthChecks.OWN.contains(each.name()));
    if (now.equals(checks) && serving.equals(checked)) {
      return;
    }
    checks = now;
    checked = serving;
    for (SupervisedReplica each : replicas) {
      if (each.state() == ReplicaState.READY) {
        now.forEach(check -> each.send(check.line()));
      }
    }
  }
}

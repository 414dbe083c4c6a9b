package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Chooses the replica to add or to remove, by the load or by the number that an operator wants. One
 * at a time. Used by the supervisor's thread only.
 */
final class ReplicaScaling {
  /** Time between two checks of queueing delays: one beat. */
  private static final Duration INTERVAL = ReplicaProtocol.HEARTBEAT_INTERVAL;

  private final List<SupervisedReplica> replicas;
  private final ScalingSettings bounds;
  private final ScalingPolicy policy;
  private long scaledNs;

  /** Number of replicas wanted by an operator; empty when the load decides. */
  private OptionalInt fixed = OptionalInt.empty();

  /**
   * Scaling by the load.
   *
   * @param replicas a replica for each place, in their order
   * @param bounds bounds of the number of running replicas
   */
  ReplicaScaling(List<SupervisedReplica> replicas, ScalingSettings bounds, long nowNs) {
    this.replicas = replicas;
    this.bounds = bounds;
    this.policy = new ScalingPolicy(bounds);
    this.scaledNs = nowNs;
  }

  /**
   * A replica to add or to remove.
   *
   * @param reason the reason, for people
   */
  record Change(SupervisedReplica replica, boolean added, String reason) {}

  ScalingSettings bounds() {
    return bounds;
  }

  /**
   * Fixes the number of replicas.
   *
   * @param count the number; empty to let the load decide
   * @return whether it is within bounds, and so accepted
   */
  boolean fix(OptionalInt count) {
    if (count.orElse(bounds.min()) < bounds.min() || count.orElse(0) > bounds.max()) {
      return false;
    }
    fixed = count;
    policy.forget();
    return true;
  }

  /** Discards the observed delays, which say nothing about the time from now on. */
  void forget() {
    policy.forget();
  }

  /** The next change, if one is due. */
  Optional<Change> next(long nowNs) {
    if (nowNs - scaledNs < INTERVAL.toNanos()) {
      return Optional.empty();
    }
    scaledNs = nowNs;
    return fixed.isPresent() ? towards(fixed.getAsInt()) : byLoad(nowNs);
  }

  private Optional<Change> byLoad(long nowNs) {
    List<SupervisedReplica> wanted =
        replicas.stream()
            .filter(each -> each.sound() || each.state() == ReplicaState.DRAINING)
            .toList();
    List<Long> delays =
        wanted.stream()
            .filter(each -> each.state() == ReplicaState.READY)
            .map(SupervisedReplica::lastBeat)
            .filter(Objects::nonNull)
            .map(Heartbeat::delayMicros)
            .toList();
    if (delays.size() < wanted.size()) {
      policy.forget();
      return Optional.empty();
    }
    return switch (policy.decide(nowNs, delays)) {
      case ADD -> added("work waits too long");
      case REMOVE -> Optional.of(new Change(wanted.getLast(), false, "the others are enough"));
      case STAY -> Optional.empty();
    };
  }

  /** A leaving replica gives its slot away before another one leaves. */
  private Optional<Change> towards(int count) {
    if (replicas.stream().anyMatch(SupervisedReplica::isLeaving)) {
      return Optional.empty();
    }
    List<SupervisedReplica> sound = replicas.stream().filter(SupervisedReplica::sound).toList();
    if (sound.size() < count) {
      return added("an operator wants it");
    }
    return sound.size() > count
        ? Optional.of(new Change(sound.getLast(), false, "an operator wants it"))
        : Optional.empty();
  }

  private Optional<Change> added(String reason) {
    return replicas.stream()
        .filter(each -> each.state() == ReplicaState.STOPPED)
        .findFirst()
        .map(each -> new Change(each, true, reason));
  }
}

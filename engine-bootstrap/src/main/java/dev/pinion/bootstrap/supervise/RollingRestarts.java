package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.supervise.SupervisionEvents.EventKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rolling restarts, one after another, with an event for the start and the end of each. Used by the
 * supervisor's thread only.
 */
final class RollingRestarts {
  private final List<SupervisedReplica> replicas;
  private final SupervisionEvents events;
  private @Nullable RollingRestart latest;
  private int begun;

  /**
   * No restart yet.
   *
   * @param replicas a replica for each place
   */
  RollingRestarts(List<SupervisedReplica> replicas, SupervisionEvents events) {
    this.replicas = replicas;
    this.events = events;
  }

  boolean running() {
    return latest != null && latest.running();
  }

  Optional<RollingRestartStatus> latest() {
    return Optional.ofNullable(latest).map(RollingRestart::status);
  }

  /**
   * Begins a restart of running replicas.
   *
   * @param indexes their indexes; stopped and leaving ones are left out
   * @return the restart, or empty when another one is under way
   */
  Optional<RollingRestartStatus> begin(Set<Integer> indexes, Instant time) {
    if (running()) {
      return Optional.empty();
    }
    List<SupervisedReplica> chosen =
        replicas.stream()
            .filter(each -> indexes.contains(each.index()))
            .filter(each -> each.state() != ReplicaState.STOPPED && !each.isLeaving())
            .toList();
    RollingRestart restart = new RollingRestart(++begun, time, chosen);
    latest = restart;
    events.record(EventKind.RESTART, SupervisionEvents.ALL, restart.text());
    return Optional.of(restart.status());
  }

  /**
   * Proceeds as far as possible.
   *
   * @param start starts the restart of one replica
   */
  void step(Consumer<SupervisedReplica> start) {
    RollingRestart restart = latest;
    if (restart == null || !restart.running()) {
      return;
    }
    restart.step(start);
    if (!restart.running()) {
      boolean done = restart.status().state() == RollingRestartStatus.RestartState.DONE;
      events.record(
          done ? EventKind.RESTART : EventKind.RESTART_FAILED,
          SupervisionEvents.ALL,
          restart.text());
    }
  }
}

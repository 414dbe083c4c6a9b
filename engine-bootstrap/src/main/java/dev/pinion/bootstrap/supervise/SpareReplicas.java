package dev.pinion.bootstrap.supervise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replicas that replace broken ones, so that no fewer than the minimum serve. A spare is removed
 * when the broken one has served for the length of a trial. Used by the supervisor's thread only.
 */
final class SpareReplicas {
  private final List<SupervisedReplica> replicas;
  private final int least;
  private final Map<SupervisedReplica, SupervisedReplica> brokenBySpare = new LinkedHashMap<>();

  /**
   * Creates an empty set of spares.
   *
   * @param replicas a replica for each place, in their order
   * @param least least number of sound replicas
   */
  SpareReplicas(List<SupervisedReplica> replicas, int least) {
    this.replicas = replicas;
    this.least = least;
  }

  /**
   * A free place and the broken replica that it replaces.
   *
   * @param spare the spare, not started yet
   * @param broken the broken replica
   */
  record Replacement(SupervisedReplica spare, SupervisedReplica broken) {}

  /** The next spare to start; empty when enough replicas are sound or no place is free. */
  Optional<Replacement> next() {
    if (replicas.stream().filter(SupervisedReplica::sound).count() >= least) {
      return Optional.empty();
    }
    Optional<SupervisedReplica> broken =
        in(ReplicaState.BROKEN).filter(each -> !brokenBySpare.containsValue(each)).findFirst();
    Optional<SupervisedReplica> free = in(ReplicaState.STOPPED).findFirst();
    if (broken.isEmpty() || free.isEmpty()) {
      return Optional.empty();
    }
    brokenBySpare.put(free.get(), broken.get());
    return Optional.of(new Replacement(free.get(), broken.get()));
  }

  /** Removes and returns spares that are no longer needed. */
  List<Replacement> done(long nowNs) {
    brokenBySpare.keySet().removeIf(spare -> spare.state() == ReplicaState.STOPPED);
    List<Replacement> done = new ArrayList<>();
    brokenBySpare.forEach(
        (spare, broken) -> {
          if (broken.servesAgain(nowNs) || broken.state() == ReplicaState.STOPPED) {
            done.add(new Replacement(spare, broken));
          }
        });
    done.forEach(replacement -> brokenBySpare.remove(replacement.spare()));
    return done;
  }

  private Stream<SupervisedReplica> in(ReplicaState state) {
    return replicas.stream().filter(each -> each.state() == state);
  }
}

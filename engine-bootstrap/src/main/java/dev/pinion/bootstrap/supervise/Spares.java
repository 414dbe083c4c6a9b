package dev.pinion.bootstrap.supervise;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replicas that stand in for broken ones, so that no fewer than the least number serve. One is
 * taken away when the one it stands in for has served for as long as a trial lasts. Used by the
 * supervisor's thread only.
 */
final class Spares {
  private final List<SupervisedReplica> replicas;
  private final int least;
  private final Map<SupervisedReplica, SupervisedReplica> brokenBySpare = new LinkedHashMap<>();

  /**
   * None so far.
   *
   * @param replicas one for each place, in their order
   * @param least how many are to be sound
   */
  Spares(List<SupervisedReplica> replicas, int least) {
    this.replicas = replicas;
    this.least = least;
  }

  /**
   * A place that is free and a broken replica that it is to stand in for.
   *
   * @param spare is yet to be started
   * @param broken why
   */
  record Pair(SupervisedReplica spare, SupervisedReplica broken) {}

  /** The next spare to be started; nothing when enough are sound or no place is free. */
  Optional<Pair> next() {
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
    return Optional.of(new Pair(free.get(), broken.get()));
  }

  /** Spares that are needed no longer, which are forgotten. */
  List<Pair> done(long nowNs) {
    brokenBySpare.keySet().removeIf(spare -> spare.state() == ReplicaState.STOPPED);
    List<Pair> done = new ArrayList<>();
    brokenBySpare.forEach(
        (spare, broken) -> {
          if (broken.servesAgain(nowNs) || broken.state() == ReplicaState.STOPPED) {
            done.add(new Pair(spare, broken));
          }
        });
    done.forEach(pair -> brokenBySpare.remove(pair.spare()));
    return done;
  }

  private Stream<SupervisedReplica> in(ReplicaState state) {
    return replicas.stream().filter(each -> each.state() == state);
  }
}

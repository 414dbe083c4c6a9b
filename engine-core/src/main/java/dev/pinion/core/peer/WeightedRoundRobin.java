package dev.pinion.core.peer;

import dev.pinion.core.partition.ReplicaGroup;
import java.util.function.IntPredicate;

/**
 * Gives replicas turns in proportion to their weights, spread evenly (smooth weighted round-robin):
 * each gains its weight; the replica with the most has its turn and pays the sum of all. Equal
 * replicas take turns. Event loop only.
 */
final class WeightedRoundRobin {
  private final ReplicaGroup replicaGroup;
  private final int[] credits;

  WeightedRoundRobin(ReplicaGroup replicaGroup) {
    this.replicaGroup = replicaGroup;
    this.credits = new int[replicaGroup.slots()];
  }

  /**
   * The slot whose turn it is, of equal ones the next after this replica's own.
   *
   * @param among slots that can have a turn
   * @return -1 when there is none
   */
  int next(IntPredicate among) {
    int sum = 0;
    int best = -1;
    for (int step = 1; step <= credits.length; step++) {
      int slot = (replicaGroup.slot() + step) % credits.length;
      if (among.test(slot)) {
        int weight = replicaGroup.weight(slot);
        sum += weight;
        credits[slot] += weight;
        best = best < 0 || credits[slot] > credits[best] ? slot : best;
      }
    }
    if (best >= 0) {
      credits[best] -= sum;
    }
    return best;
  }
}

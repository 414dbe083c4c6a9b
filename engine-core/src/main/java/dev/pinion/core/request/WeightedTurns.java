package dev.pinion.core.request;

import dev.pinion.core.peer.Neighbourhood;
import java.util.function.IntPredicate;

/**
 * Gives replicas turns in proportion to their weights, spread evenly (smooth weighted round-robin):
 * each gains its weight; the replica with the most has its turn and pays the sum of all. Equal
 * replicas take turns. Event loop only.
 */
final class WeightedTurns {
  private final Neighbourhood neighbourhood;
  private final int[] credits;

  WeightedTurns(Neighbourhood neighbourhood) {
    this.neighbourhood = neighbourhood;
    this.credits = new int[neighbourhood.slots()];
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
      int slot = (neighbourhood.slot() + step) % credits.length;
      if (among.test(slot)) {
        int weight = neighbourhood.weight(slot);
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

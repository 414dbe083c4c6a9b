package dev.pinion.bootstrap.supervise;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Assignment of slots, and so of their partitions, to replicas: the slot's own replica if it
 * stands, else the present holder, else the one with the fewest slots. Used by the supervisor's
 * thread only.
 */
final class SlotTable {
  private final int[] holders;
  private int version = 1;

  /**
   * A first table.
   *
   * @param slots number of places, at least one of which stands
   * @param standing replicas that hold slots
   */
  SlotTable(int slots, Set<Integer> standing) {
    this.holders = new int[slots];
    Arrays.fill(holders, -1);
    assign(standing);
  }

  /**
   * Updates the table for other replicas.
   *
   * @param standing replicas that hold slots; when there are none, the table stays unchanged
   * @return whether something changed
   */
  boolean update(Set<Integer> standing) {
    int[] before = holders.clone();
    assign(standing);
    boolean changed = !Arrays.equals(before, holders);
    version += changed ? 1 : 0;
    return changed;
  }

  private void assign(Set<Integer> standing) {
    if (standing.isEmpty()) {
      return;
    }
    for (int slot = 0; slot < holders.length; slot++) {
      if (standing.contains(slot)) {
        holders[slot] = slot;
      }
    }
    for (int slot = 0; slot < holders.length; slot++) {
      if (!standing.contains(holders[slot])) {
        holders[slot] = leastLoaded(standing);
      }
    }
  }

  private int leastLoaded(Set<Integer> standing) {
    int best = -1;
    for (int each : standing.stream().sorted().toList()) {
      best = best < 0 || held(each) < held(best) ? each : best;
    }
    return best;
  }

  private long held(int replica) {
    return Arrays.stream(holders).filter(holder -> holder == replica).count();
  }

  /** The table in the format for replicas: its version, and the replica of each slot. */
  String text() {
    return IntStream.concat(IntStream.of(version), Arrays.stream(holders))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }
}

package dev.pinion.bootstrap.supervise;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which replica is to hold the partitions of which slot: its own if that one stands, else the one
 * that holds it already, else the one that holds the fewest. Used by the supervisor's thread only.
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
   * Goes by other replicas.
   *
   * @param standing replicas that hold slots; when there are none, everything stays as it is
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

  /** The table as replicas read it: its version, and the replica of each slot. */
  String text() {
    return IntStream.concat(IntStream.of(version), Arrays.stream(holders))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }
}

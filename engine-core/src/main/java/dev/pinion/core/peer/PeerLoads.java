package dev.pinion.core.peer;

import dev.pinion.core.partition.ReplicaGroup;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Load of the other replicas, as known to one Request Handler: the value in the last answer of
 * each, and the requests sent to it since. Event loop only.
 *
 * <p>The values age, so that a replica that was busy once is asked again.
 */
public final class PeerLoads {
  /** The field in which a replica reports its number of requests under way to the others. */
  public static final String FIELD = "pinion-load";

  /** The load of a replica that did not answer. */
  private static final int LOST = 1_000;

  private final int[] loads;

  PeerLoads(ReplicaGroup replicaGroup) {
    this.loads = new int[replicaGroup.slots()];
  }

  int of(int slot) {
    return loads[slot];
  }

  void sent(int slot) {
    loads[slot]++;
  }

  void received(int slot, HttpHeaders fields) {
    loads[slot] = fields.getInt(FIELD, loads[slot]);
  }

  void lost(int slot) {
    loads[slot] = LOST;
  }

  void age() {
    for (int slot = 0; slot < loads.length; slot++) {
      loads[slot] -= (loads[slot] + 3) / 4;
    }
  }
}

package dev.pinion.core.request;

import dev.pinion.core.peer.Neighbourhood;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * How much the other replicas have under way, as far as one Request Handler knows: what each told
 * with its last answer, and what was sent to it since. Event loop only.
 *
 * <p>What is remembered ages, so that a replica that was busy once is asked again.
 */
final class PeerLoads {
  /** The field by which a replica tells the others how many requests it has under way. */
  static final String FIELD = "pinion-load";

  /** The load of a replica that did not answer. */
  private static final int LOST = 1_000;

  private final int[] loads;

  PeerLoads(Neighbourhood neighbourhood) {
    this.loads = new int[neighbourhood.slots()];
  }

  int of(int slot) {
    return loads[slot];
  }

  void sent(int slot) {
    loads[slot]++;
  }

  void told(int slot, HttpHeaders fields) {
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

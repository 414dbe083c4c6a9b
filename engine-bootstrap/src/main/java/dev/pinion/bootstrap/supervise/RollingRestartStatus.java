package dev.pinion.bootstrap.supervise;

import java.time.Instant;
import java.util.List;

/**
 * Status of a rolling restart of replicas at one time.
 *
 * @param number number of the restart, from 1
 * @param time time of the request
 * @param state its state
 * @param done indexes of replicas that came back
 * @param left indexes of remaining replicas, the current one first
 * @param text a sentence for people
 */
public record RollingRestartStatus(
    int number,
    Instant time,
    RestartState state,
    List<Integer> done,
    List<Integer> left,
    String text) {
  /** Copies the lists. */
  public RollingRestartStatus {
    done = List.copyOf(done);
    left = List.copyOf(left);
  }

  /** States of a restart. */
  public enum RestartState {
    /** Under way. */
    RUNNING,
    /** Every replica came back. */
    DONE,
    /** A replica did not come back; later ones were not restarted. */
    FAILED
  }
}

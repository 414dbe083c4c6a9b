package dev.pinion.bootstrap.supervise;

import java.time.Instant;
import java.util.List;

/**
 * A restart of replicas, one at a time, at one moment.
 *
 * @param number counts restarts from 1
 * @param time when it was asked for
 * @param state how far it is
 * @param done indexes of replicas that came back
 * @param left indexes of replicas to come, the current one first
 * @param text a sentence for people
 */
public record RestartPicture(
    int number, Instant time, State state, List<Integer> done, List<Integer> left, String text) {
  /** Copies the lists. */
  public RestartPicture {
    done = List.copyOf(done);
    left = List.copyOf(left);
  }

  /** How far a restart is. */
  public enum State {
    /** Under way. */
    RUNNING,
    /** Every replica came back. */
    DONE,
    /** A replica did not come back; those after it were left alone. */
    FAILED
  }
}

package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.Beat;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A replica as its supervisor sees it at one moment.
 *
 * @param index its place in the plan
 * @param state where it is in its life
 * @param pid its process, or -1 when it has none
 * @param generation how many processes it has had
 * @param uptime time since its process was started; zero when it has none
 * @param breaker whether it is started again when it dies
 * @param lastExit how its process before ended, or null when none has
 * @param lastBeat what it told last, or null when it has told nothing yet
 * @param metrics what it counted when it told of it last, as text of Prometheus; empty for nothing
 */
public record ReplicaPicture(
    int index,
    ReplicaState state,
    long pid,
    int generation,
    Duration uptime,
    Breaker breaker,
    @Nullable LastExit lastExit,
    @Nullable Beat lastBeat,
    String metrics) {
  /** How often it was started again. */
  public int restarts() {
    return Math.max(0, generation - 1);
  }

  /** Whether a replica is started again when it dies. */
  public enum Breaker {
    /** It is. */
    CLOSED,
    /** It died too often; nothing is started for a while. */
    OPEN,
    /** It is on trial: its next early death opens the breaker again. */
    HALF_OPEN
  }

  /**
   * How a process ended.
   *
   * @param time when
   * @param status exit status; 128 and a signal's number when that ended it
   * @param text the same in words
   */
  public record LastExit(Instant time, int status, String text) {}
}

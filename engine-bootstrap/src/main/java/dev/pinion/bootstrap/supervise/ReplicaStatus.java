package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of a replica at one time, by its supervisor.
 *
 * @param index its place in the plan
 * @param state its state
 * @param pid its process, or -1 for none
 * @param generation number of its processes so far
 * @param uptime time since the start of its process; zero for none
 * @param breaker whether it is restarted after a death
 * @param lastExit end of its previous process, or null for none
 * @param lastBeat its last heartbeat, or null before the first
 * @param metrics its last reported counters, as text of Prometheus; empty for none
 */
public record ReplicaStatus(
    int index,
    ReplicaState state,
    long pid,
    int generation,
    Duration uptime,
    CircuitBreaker breaker,
    @Nullable LastExit lastExit,
    @Nullable Heartbeat lastBeat,
    String metrics) {
  /** Number of restarts. */
  public int restarts() {
    return Math.max(0, generation - 1);
  }

  /** Whether a replica is restarted after a death. */
  public enum CircuitBreaker {
    /** It is restarted. */
    CLOSED,
    /** It died too often; it is not started for some time. */
    OPEN,
    /** It is on trial: its next early death opens the breaker again. */
    HALF_OPEN
  }

  /**
   * End of a process.
   *
   * @param time time of the end
   * @param status exit status; 128 plus the number of a signal that ended it
   * @param text description for people
   */
  public record LastExit(Instant time, int status, String text) {}
}

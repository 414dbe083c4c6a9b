package dev.pinion.handlers.remote.protocol;

import java.time.Duration;

/**
 * Intervals and time-outs of requesters and hosts.
 *
 * @param answer time after which an attempt that no host has taken is sent again
 * @param probe time after which an unanswered attempt is sent again to its host
 * @param heartbeat interval of the heartbeats of hosts
 * @param silence time without a heartbeat after which a host is lost
 * @param late time after its time-out in which an answer to an attempt is still accepted, so that
 *     its effect can be undone
 */
public record RemoteTimeouts(
    Duration answer, Duration probe, Duration heartbeat, Duration silence, Duration late) {
  /** Defaults. */
  public static final RemoteTimeouts DEFAULTS =
      new RemoteTimeouts(
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofMillis(250),
          Duration.ofMillis(1_500),
          Duration.ofSeconds(10));

  /** Checks that the interval of heartbeats is shorter than the time to lose a host. */
  public RemoteTimeouts {
    if (!answer.isPositive()
        || !probe.isPositive()
        || !heartbeat.isPositive()
        || late.isNegative()) {
      throw new IllegalArgumentException("expected times above 0, found " + answer + " and others");
    }
    if (silence.compareTo(heartbeat.multipliedBy(3)) < 0) {
      throw new IllegalArgumentException(
          "expected handlers.remote.silence ("
              + silence
              + ") to be at least three times handlers.remote.beat ("
              + heartbeat
              + "): one beat may get lost");
    }
  }
}

package dev.pinion.handlers.remote;

import java.time.Duration;

/**
 * After which times requesters and hosts do something.
 *
 * @param answer when nobody has taken an attempt, it is sent again after this
 * @param probe when the host that has it is silent about it, it is sent there again after this
 * @param beat how often a host says that it lives
 * @param silence a host that has said nothing for so long is lost
 * @param late how long after its time the answer to an attempt is still listened for, so that its
 *     effect can be taken back
 */
public record RemoteTimes(
    Duration answer, Duration probe, Duration beat, Duration silence, Duration late) {
  /** What holds unless something else is set. */
  public static final RemoteTimes DEFAULTS =
      new RemoteTimes(
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofMillis(250),
          Duration.ofMillis(1_500),
          Duration.ofSeconds(10));

  /** Checks that hosts beat more often than they are given up. */
  public RemoteTimes {
    if (!answer.isPositive() || !probe.isPositive() || !beat.isPositive() || late.isNegative()) {
      throw new IllegalArgumentException("expected times above 0, found " + answer + " and others");
    }
    if (silence.compareTo(beat.multipliedBy(3)) < 0) {
      throw new IllegalArgumentException(
          "expected handlers.remote.silence ("
              + silence
              + ") to be at least three times handlers.remote.beat ("
              + beat
              + "): one beat may get lost");
    }
  }
}

package dev.pinion.bootstrap.supervise;

import java.util.List;

/**
 * Decides from queueing delays whether a replica is added or removed.
 *
 * <p>Two thresholds with a gap between them, each to be passed for a while without a break, and a
 * rest after each change keep a load that flaps from moving replicas to and fro. Times are
 * nanoseconds of one monotonic clock.
 */
final class ScalingPolicy {
  /** What to do. */
  enum Decision {
    ADD,
    REMOVE,
    STAY
  }

  private static final long NOT = Long.MIN_VALUE;

  private final ScalingSettings settings;
  private long tooFewSinceNs = NOT;
  private long tooManySinceNs = NOT;
  private long restUntilNs = NOT;

  ScalingPolicy(ScalingSettings settings) {
    this.settings = settings;
  }

  /**
   * Looks at the delays of now.
   *
   * @param delaysMicros queueing delay of each replica that serves, in microseconds
   */
  Decision decide(long nowNs, List<Long> delaysMicros) {
    if (delaysMicros.isEmpty() || (restUntilNs != NOT && nowNs - restUntilNs < 0)) {
      forget();
      return Decision.STAY;
    }
    double mean = delaysMicros.stream().mapToLong(each -> each).average().orElse(0);
    long most = delaysMicros.stream().mapToLong(each -> each).max().orElse(0);
    tooFewSinceNs = since(tooFewSinceNs, nowNs, mean >= settings.addDelayMicros());
    tooManySinceNs = since(tooManySinceNs, nowNs, most <= settings.removeDelayMicros());
    if (delaysMicros.size() < settings.max()
        && lasted(tooFewSinceNs, nowNs, settings.addAfter().toNanos())) {
      return changed(nowNs, Decision.ADD);
    }
    if (delaysMicros.size() > settings.min()
        && lasted(tooManySinceNs, nowNs, settings.removeAfter().toNanos())) {
      return changed(nowNs, Decision.REMOVE);
    }
    return Decision.STAY;
  }

  /** Forgets how long replicas were too few or too many. */
  void forget() {
    tooFewSinceNs = NOT;
    tooManySinceNs = NOT;
  }

  private Decision changed(long nowNs, Decision decision) {
    forget();
    restUntilNs = nowNs + settings.rest().toNanos();
    return decision;
  }

  private static long since(long sinceNs, long nowNs, boolean holds) {
    if (!holds) {
      return NOT;
    }
    return sinceNs == NOT ? nowNs : sinceNs;
  }

  private static boolean lasted(long sinceNs, long nowNs, long durationNs) {
    return sinceNs != NOT && nowNs - sinceNs >= durationNs;
  }
}

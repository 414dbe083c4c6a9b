package dev.pinion.bootstrap.supervise;

import java.util.List;

/**
 * Decides from queueing delays whether a replica is added or removed.
 *
 * <p>Two thresholds with a gap between them, each to be exceeded for some time, and a pause after
 * each change prevent an oscillating load from adding and removing replicas repeatedly. Replicas
 * are too few only without interruption, and that resets the earlier idle time. A delay between the
 * thresholds, which a busy host causes occasionally, only subtracts {@link #BREAK} times its
 * duration from the idle time: where only one sample in eight is of this kind, replicas are removed
 * in the end. Times are nanoseconds of one monotonic clock.
 */
final class ScalingPolicy {
  /** Possible decisions. */
  enum Decision {
    ADD,
    REMOVE,
    STAY
  }

  /**
   * Factor on the duration of a delay between the thresholds that is subtracted from the idle time.
   */
  static final int BREAK = 5;

  private static final long NOT = Long.MIN_VALUE;

  private final ScalingSettings settings;
  private long tooFewSinceNs = NOT;
  private long idleNs;
  private boolean wasIdle;
  private long lastNs = NOT;
  private long restUntilNs = NOT;

  ScalingPolicy(ScalingSettings settings) {
    this.settings = settings;
  }

  /**
   * Decides by the current delays.
   *
   * @param delaysMicros queueing delay of each serving replica, in microseconds
   */
  Decision decide(long nowNs, List<Long> delaysMicros) {
    if (delaysMicros.isEmpty() || (restUntilNs != NOT && nowNs - restUntilNs < 0)) {
      forget();
      return Decision.STAY;
    }
    long sinceLastNs = lastNs == NOT ? 0 : nowNs - lastNs;
    lastNs = nowNs;
    double mean = delaysMicros.stream().mapToLong(each -> each).average().orElse(0);
    long most = delaysMicros.stream().mapToLong(each -> each).max().orElse(0);
    tooFewSinceNs = since(tooFewSinceNs, nowNs, mean >= settings.addDelayMicros());
    if (mean >= settings.addDelayMicros()) {
      idleNs = 0;
      wasIdle = false;
    } else {
      countIdle(sinceLastNs, most <= settings.removeDelayMicros());
    }
    if (delaysMicros.size() < settings.max()
        && lasted(tooFewSinceNs, nowNs, settings.addAfter().toNanos())) {
      return changed(nowNs, Decision.ADD);
    }
    if (delaysMicros.size() > settings.min()
        && wasIdle
        && idleNs >= settings.removeAfter().toNanos()) {
      return changed(nowNs, Decision.REMOVE);
    }
    return Decision.STAY;
  }

  /** Resets the times for which replicas were too few or too many. */
  void forget() {
    tooFewSinceNs = NOT;
    idleNs = 0;
    wasIdle = false;
    lastNs = NOT;
  }

  private void countIdle(long sinceLastNs, boolean idle) {
    if (!idle) {
      idleNs = Math.max(0, idleNs - BREAK * sinceLastNs);
    } else if (wasIdle) {
      idleNs += sinceLastNs;
    }
    wasIdle = idle;
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

package dev.pinion.handlers.run;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import java.util.function.Consumer;

/**
 * Vegas for messages that only compute, from a floor upwards, with two guards.
 *
 * <p>The time of a single message is measured again only while at most half of the limit is under
 * way, as in OpenSearch: plain Vegas takes the time under load for it, repeatedly, and drifts
 * upwards. It lets few messages wait for CPUs (one to two), because more never made computing
 * faster.
 *
 * <p>More than the floor must pay: the rate at which messages leave, their number divided by their
 * mean time (Little's law), must grow by at least half as much as their number; otherwise the limit
 * returns to the floor and stays there for a while, the longer the more often that happened. Where
 * messages interfere with each other, each one beyond the CPUs costs throughput, and Vegas, which
 * sees only times, would let some wait nevertheless.
 *
 * <p>Not for messages that wait for services: a service that has become permanently slower would
 * keep the limit low. Samples are means over windows of time. Of one thread at a time.
 */
final class GuardedVegasLimit implements Limit {
  private static final int LEAST_WAITING = 1;
  private static final int MOST_WAITING = 2;

  /** Samples between measurements without load, for each message of the limit; as in Vegas. */
  private static final int LOOK_EVERY = 30;

  /** Samples above the floor before each judgement whether it pays. */
  private static final int TRIAL = 8;

  /** Favourable judgements after which the rate at the floor is measured again. */
  private static final int MOST_IN_FAVOUR = 32;

  private static final int LEAST_HOLD = 32;
  private static final int MOST_HOLD = 1_024;
  private static final double SHARE_TO_GAIN = 0.5;
  private static final double SMOOTHING = 0.125;

  private final int floor;
  private final int most;
  private VegasLimit vegas;
  private long sinceLook;

  private double rateAtFloor;
  private double rates;
  private double crowds;
  private int judged;
  private int inFavour;
  private int hold;
  private int nextHold = LEAST_HOLD;

  GuardedVegasLimit(int initial, int most) {
    this.floor = initial;
    this.most = most;
    this.vegas = fresh(initial);
  }

  private VegasLimit fresh(int limit) {
    return VegasLimit.newBuilder()
        .initialLimit(limit)
        .maxConcurrency(most)
        .alpha(LEAST_WAITING)
        .beta(MOST_WAITING)
        .probeMultiplier(Integer.MAX_VALUE) // those measurements are made here
        .build();
  }

  @Override
  public int getLimit() {
    return vegas.getLimit();
  }

  /** Not used. */
  @Override
  public void notifyOnChange(Consumer<Integer> consumer) {}

  @Override
  public void onSample(long startTime, long rtt, int inflight, boolean didDrop) {
    int limit = vegas.getLimit();
    sinceLook++;
    if (sinceLook > (long) LOOK_EVERY * limit && inflight <= limit / 2) {
      sinceLook = 0;
      vegas = fresh(limit);
    }
    double rate = (double) inflight / rtt;
    if (inflight == floor) {
      rateAtFloor = rateAtFloor == 0 ? rate : rateAtFloor + SMOOTHING * (rate - rateAtFloor);
    }
    if (limit <= floor && hold > 0) {
      hold--;
      return;
    }
    vegas.onSample(startTime, rtt, inflight, didDrop);
    if (limit > floor && inflight > floor) {
      judge(rate, (double) inflight / floor);
    }
  }

  /**
   * Judges one more sample above the floor.
   *
   * @param crowd ratio of the number of messages to the floor
   */
  private void judge(double rate, double crowd) {
    rates += rate;
    crowds += crowd;
    judged++;
    if (judged < TRIAL) {
      return;
    }
    double gain = rateAtFloor == 0 ? Double.MAX_VALUE : rates / TRIAL / rateAtFloor - 1;
    boolean pays = gain >= SHARE_TO_GAIN * (crowds / TRIAL - 1);
    inFavour = pays ? inFavour + 1 : 0;
    if (!pays) {
      hold = nextHold;
      nextHold = Math.min(MOST_HOLD, 2 * nextHold);
    } else {
      nextHold = LEAST_HOLD;
    }
    if (!pays || inFavour == MOST_IN_FAVOUR) {
      inFavour = 0;
      vegas = fresh(floor);
    }
    rates = 0;
    crowds = 0;
    judged = 0;
  }
}

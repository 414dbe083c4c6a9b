package dev.pinion.handlers.run;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import java.util.function.Consumer;

/**
 * Vegas for messages that only compute. What a message takes alone is learnt afresh only while at
 * most half of the limit is under way, as OpenSearch has it: Vegas by itself takes what messages
 * take in a crowd for that, again and again, and drifts upwards. It lets few messages wait for CPUs
 * beside each other (one to two), because that never made computing faster.
 *
 * <p>Not for messages that wait for services: a service that has become slower for good would keep
 * the limit low. Of one thread at a time.
 */
final class GuardedVegas implements Limit {
  private static final int LEAST_WAITING = 1;
  private static final int MOST_WAITING = 2;

  /** Samples between looks, for each message of the limit; as Vegas has it. */
  private static final int LOOK_EVERY = 30;

  private final int most;
  private VegasLimit vegas;
  private long sinceLook;

  GuardedVegas(int initial, int most) {
    this.most = most;
    this.vegas = fresh(initial);
  }

  private VegasLimit fresh(int limit) {
    return VegasLimit.newBuilder()
        .initialLimit(limit)
        .maxConcurrency(most)
        .alpha(LEAST_WAITING)
        .beta(MOST_WAITING)
        .probeMultiplier(Integer.MAX_VALUE) // looks are taken here
        .build();
  }

  @Override
  public int getLimit() {
    return vegas.getLimit();
  }

  /** Nobody asks to be told. */
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
    vegas.onSample(startTime, rtt, inflight, didDrop);
  }
}

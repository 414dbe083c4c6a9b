package dev.pinion.broker.analyse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Queue of causes for the next solution, at the pace of {@link SolveRateLimiter}, and for {@link
 * #LEAST_SECONDS_BETWEEN} after a new table unless they are urgent: no cause waits for more than a
 * minute. Causes of one rule and subject are one. One thread at a time.
 */
public final class SolveQueue {
  /** The most waiting causes; further ones are not recorded, but solved for. */
  public static final int MAX_CAUSES = 64;

  /**
   * Fewest seconds between a table and one that follows because of observations. Observations move
   * for several half-lives after a change; a single step of them is not worth a table.
   */
  public static final double LEAST_SECONDS_BETWEEN = 5;

  private final Map<CauseKey, Cause> waiting = new LinkedHashMap<>();
  private final SolveRateLimiter pace = new SolveRateLimiter();
  private double adoptedSeconds = Double.NEGATIVE_INFINITY;

  private record CauseKey(AdaptationRule rule, String subject) {}

  /** A gate without causes. */
  public SolveQueue() {}

  /** Queues a cause; one that waits already is renewed. */
  public void offer(Cause cause) {
    CauseKey causeKey = new CauseKey(cause.rule(), cause.subject());
    if (waiting.containsKey(causeKey) || waiting.size() < MAX_CAUSES) {
      waiting.put(causeKey, cause);
    }
  }

  /**
   * Takes the causes of a solution that may begin now.
   *
   * @param nowSeconds monotonic time
   * @param urgent whether the plan in force is so bad that only the pace counts; called only where
   *     it matters. Services that have gone or come back are urgent in any case
   * @return none when nothing waits, or the gate is shut
   */
  public List<Cause> pass(double nowSeconds, BooleanSupplier urgent) {
    if (waiting.isEmpty() || !pace.isOpen(nowSeconds)) {
      return List.of();
    }
    boolean early = nowSeconds - adoptedSeconds < LEAST_SECONDS_BETWEEN;
    if (early
        && waiting.values().stream().noneMatch(each -> each.rule().isLiveness())
        && !urgent.getAsBoolean()) {
      return List.of();
    }
    List<Cause> causes = List.copyOf(waiting.values());
    waiting.clear();
    pace.begins(nowSeconds);
    return causes;
  }

  /** Records that a table was published because of observations. */
  public void adopted(double nowSeconds) {
    adoptedSeconds = nowSeconds;
  }

  /**
   * Records the end of a solution, successful or not: the gate stays shut in proportion to its
   * time.
   */
  public void solved(double beganSeconds, double nowSeconds) {
    pace.solved(beganSeconds, nowSeconds);
  }
}

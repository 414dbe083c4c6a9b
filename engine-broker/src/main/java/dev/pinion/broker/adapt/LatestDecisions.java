package dev.pinion.broker.adapt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest decisions of this process, in memory. One thread at a time. */
public final class LatestDecisions implements DecisionLog {
  /** Decisions that are kept. */
  public static final int MAX_DECISIONS = 256;

  private final Deque<Adaptation> decisions = new ArrayDeque<>();

  /** None yet. */
  public LatestDecisions() {}

  @Override
  public void add(Adaptation decision) {
    decisions.push(decision);
    if (decisions.size() > MAX_DECISIONS) {
      decisions.removeLast();
    }
  }

  @Override
  public List<Adaptation> latest() {
    return List.copyOf(decisions);
  }
}

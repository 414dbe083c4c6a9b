package dev.pinion.broker.analyse;

/** Destination of decisions. Any thread. */
public interface DecisionLog {
  /** Stores a decision; may drop the oldest for it. */
  void add(AdaptationDecision decision);
}

package dev.pinion.broker.adapt;

/** Where decisions go. Any thread. */
public interface DecisionLog {
  /** Keeps a decision; may forget the oldest for it. */
  void add(Adaptation decision);
}

package dev.pinion.broker.adapt;

import java.util.List;

/** Where decisions go. One thread at a time. */
public interface DecisionLog {
  /** Keeps a decision; may forget the oldest for it. */
  void add(Adaptation decision);

  /** The latest decisions, the newest first. */
  List<Adaptation> latest();
}

package dev.pinion.bootstrap.supervise;

import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a replica as its supervisor sees it.
 *
 * <pre>
 * STARTING ──▶ READY ──▶ DRAINING ──▶ STOPPED
 *    │  ▲        │          ▲            ▲
 *    ▼  │        ▼          │            │
 *  WAITING ◀─────┘  (a start that is stopped drains too; one that waits stops at once)
 * </pre>
 */
public enum ReplicaState {
  /** Its process runs but does not serve yet. */
  STARTING,
  /** It serves. */
  READY,
  /** It died and waits to be started again. */
  WAITING,
  /** It was asked to finish what is under way and exit. */
  DRAINING,
  /** It is gone and stays so. */
  STOPPED;

  private Set<ReplicaState> next() {
    return switch (this) {
      case STARTING -> EnumSet.of(READY, WAITING, DRAINING, STOPPED);
      case READY -> EnumSet.of(WAITING, DRAINING, STOPPED);
      case WAITING -> EnumSet.of(STARTING, STOPPED);
      case DRAINING -> EnumSet.of(STOPPED);
      case STOPPED -> EnumSet.noneOf(ReplicaState.class);
    };
  }

  /**
   * The state to come, when this state may be followed by it.
   *
   * @throws IllegalStateException when it may not
   */
  ReplicaState to(ReplicaState state) {
    if (!next().contains(state)) {
      throw new IllegalStateException(
          "expected one of " + next() + " after " + this + ", found " + state);
    }
    return state;
  }
}

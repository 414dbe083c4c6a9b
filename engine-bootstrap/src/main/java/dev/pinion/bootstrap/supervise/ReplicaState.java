package dev.pinion.bootstrap.supervise;

import java.util.EnumSet;
import java.util.Set;

/**
 * States of a replica in its supervisor.
 *
 * <pre>
 *              WAITING ──▶ STARTING ──▶ READY
 *              ▲ ▲   │      │   │         │
 *   wanted or  │ └───┼──────┼───┼─ died ──┤
 *   restarted  │     ▼      ▼   ▼         ▼
 *           STOPPED ◀─── BROKEN DRAINING ◀┘
 * </pre>
 *
 * <p>{@code BROKEN} leads to {@code STARTING} when it is tried again, {@code DRAINING} to {@code
 * STOPPED}, or to {@code WAITING} for a restart.
 */
public enum ReplicaState {
  /** Its process runs but does not serve yet. */
  STARTING,
  /** It serves. */
  READY,
  /** It died and waits for its restart. */
  WAITING,
  /** It died too often or cannot start, and is tried again much later. */
  BROKEN,
  /** It was asked to finish its work under way and exit. */
  DRAINING,
  /** It has ended until it is wanted again. */
  STOPPED;

  private Set<ReplicaState> next() {
    return switch (this) {
      case STARTING -> EnumSet.of(READY, WAITING, BROKEN, DRAINING);
      case READY -> EnumSet.of(WAITING, BROKEN, DRAINING);
      case WAITING -> EnumSet.of(STARTING, BROKEN, STOPPED);
      case BROKEN -> EnumSet.of(STARTING, BROKEN, STOPPED);
      case DRAINING -> EnumSet.of(WAITING, STOPPED);
      case STOPPED -> EnumSet.of(WAITING);
    };
  }

  /**
   * The given state, if it may follow this one.
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

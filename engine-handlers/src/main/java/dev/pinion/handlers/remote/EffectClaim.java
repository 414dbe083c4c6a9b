package dev.pinion.handlers.remote;

import org.jspecify.annotations.Nullable;

/** What a table of effects says when a host wants to begin one. */
final class EffectClaim {
  /** What it can say. */
  enum State {
    /** Nobody has begun it; it is this host's now. */
    FRESH,
    /** A host that is lost had begun it; it is this host's now. */
    TAKEN_OVER,
    /** Another host has it, which is not known to be lost. */
    ELSEWHERE,
    /** It is done; there is the answer. */
    ANSWERED
  }

  static final EffectClaim FRESH = new EffectClaim(State.FRESH, null);
  static final EffectClaim TAKEN_OVER = new EffectClaim(State.TAKEN_OVER, null);
  static final EffectClaim ELSEWHERE = new EffectClaim(State.ELSEWHERE, null);

  private final State state;
  private final byte @Nullable [] answer;

  private EffectClaim(State state, byte @Nullable [] answer) {
    this.state = state;
    this.answer = answer;
  }

  static EffectClaim answered(byte[] answer) {
    return new EffectClaim(State.ANSWERED, answer);
  }

  State state() {
    return state;
  }

  byte @Nullable [] answer() {
    return answer;
  }
}

package dev.pinion.handlers.remote;

import org.jspecify.annotations.Nullable;

/** Answer of a table of effects to a host that begins an effect. */
final class EffectClaim {
  /** Kinds of answers. */
  enum State {
    /** No host has begun it; it now belongs to this host. */
    FRESH,
    /** A lost host had begun it; it now belongs to this host. */
    TAKEN_OVER,
    /** Another host has it, which is not known to be lost. */
    ELSEWHERE,
    /** It is done; the answer is known. */
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

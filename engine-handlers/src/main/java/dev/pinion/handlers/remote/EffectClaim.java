package dev.pinion.handlers.remote;

import org.jspecify.annotations.Nullable;

/** Answer of a table of effects to a host that begins an effect. */
final class EffectClaim {
  /** Kinds of answers. */
  enum ClaimState {
    /** No host has begun it; it now belongs to this host. */
    FRESH,
    /** A lost host had begun it; it now belongs to this host. */
    TAKEN_OVER,
    /** Another host has it, which is not known to be lost. */
    ELSEWHERE,
    /** It is done; the answer is known. */
    ANSWERED
  }

  static final EffectClaim FRESH = new EffectClaim(ClaimState.FRESH, null);
  static final EffectClaim TAKEN_OVER = new EffectClaim(ClaimState.TAKEN_OVER, null);
  static final EffectClaim ELSEWHERE = new EffectClaim(ClaimState.ELSEWHERE, null);

  private final ClaimState claimState;
  private final byte @Nullable [] answer;

  private EffectClaim(ClaimState claimState, byte @Nullable [] answer) {
    this.claimState = claimState;
    this.answer = answer;
  }

  static EffectClaim answered(byte[] answer) {
    return new EffectClaim(ClaimState.ANSWERED, answer);
  }

  ClaimState state() {
    return claimState;
  }

  byte @Nullable [] answer() {
    return answer;
  }
}

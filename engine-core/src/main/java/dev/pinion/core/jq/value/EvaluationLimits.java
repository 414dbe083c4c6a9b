package dev.pinion.core.jq.value;

import dev.pinion.core.limits.EngineLimits;

/**
 * Limits that all evaluations share: made once for a compiler.
 *
 * @param maxDepth nesting of calls and of data that is walked
 * @param maxFrames frames of the Java stack that one evaluation may nest
 * @param maxBytes size of one value
 * @param maxResultDepth nesting of a result, which has to be readable again
 * @param maxJsonDepth nesting of JSON that is read
 * @param maxNumberChars characters of a number in JSON that is read
 */
public record EvaluationLimits(
    int maxDepth,
    int maxFrames,
    int maxBytes,
    int maxResultDepth,
    int maxJsonDepth,
    int maxNumberChars) {
  /** Java frames for each level of calls that is allowed. */
  private static final int FRAMES_PER_CALL = 4;

  public EvaluationLimits(EngineLimits limits) {
    this(
        limits.expression().maxDepth(),
        limits.expression().maxDepth() * FRAMES_PER_CALL,
        limits.instance().maxPayloadBytes(),
        Math.min(limits.expression().maxDepth(), limits.json().maxDepth()),
        limits.json().maxDepth(),
        limits.json().maxNumberDigits());
  }
}

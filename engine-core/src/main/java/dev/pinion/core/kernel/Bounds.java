package dev.pinion.core.kernel;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks the values that tasks make against the limits of an instance. A task that exceeds one
 * fails with an error that names the limit, which a {@code try} may handle.
 */
final class Bounds {
  private final int maxBytes;
  private final int maxDepth;
  private final int maxHeap;
  private final String depthLimit;
  private final long maxDelayNanos;

  Bounds(EngineLimits limits) {
    this.maxBytes = limits.instance().maxPayloadBytes();
    boolean read = limits.json().maxDepth() > limits.expression().maxDepth();
    this.maxDepth = read ? limits.json().maxDepth() : limits.expression().maxDepth();
    this.depthLimit = read ? "json.maxDepth" : "expression.maxDepth";
    this.maxHeap = limits.json().maxHeapBytes();
    this.maxDelayNanos = TimeUnit.DAYS.toNanos(limits.instance().maxTimerDays());
  }

  /** The error of an instance that needs more than a limit allows. */
  static WorkflowError exceeded(String limit, long bound) {
    return WorkflowError.of(
        ErrorType.RUNTIME,
        "expected the instance to stay within "
            + limit
            + " = "
            + bound
            + ", found that it needs more");
  }

  /**
   * The value, which is neither too large nor nested too deeply. Tasks can make such a value
   * without any large expression: a loop around a {@code fork} nests arrays and doubles them.
   */
  Payload checked(Payload value) {
    if (!value.isWithin(maxBytes, maxDepth, maxHeap)) {
      throw new ExpressionException(excess(value));
    }
    return value;
  }

  private WorkflowError excess(Payload value) {
    if (!value.isWithin(maxBytes, Integer.MAX_VALUE, Integer.MAX_VALUE)) {
      return exceeded("instance.maxPayloadBytes", maxBytes);
    }
    return value.isWithin(maxBytes, maxDepth, Integer.MAX_VALUE)
        ? exceeded("json.maxHeapBytes", maxHeap)
        : exceeded(depthLimit, maxDepth);
  }

  /** The weight of a list's items, which together are no larger than one value may be. */
  long checkedWeight(List<Payload> items) {
    long weight = 0;
    for (Payload item : items) {
      weight += checked(item).weight();
      if (weight > maxBytes) {
        throw new ExpressionException(exceeded("instance.maxPayloadBytes", maxBytes));
      }
    }
    return weight;
  }

  /** A delay that a timer may have. */
  long checkedDelay(long delayNanos) {
    if (delayNanos > maxDelayNanos) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.RUNTIME,
              "expected a time of at most "
                  + TimeUnit.NANOSECONDS.toDays(maxDelayNanos)
                  + " days (instance.maxTimerDays), found "
                  + TimeUnit.NANOSECONDS.toDays(delayNanos)));
    }
    return delayNanos;
  }

  /** The longest delay that a timer may have. */
  long maxDelayNanos() {
    return maxDelayNanos;
  }
}

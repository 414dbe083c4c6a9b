package dev.pinion.core.kernel.step.memory;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values that tasks produce against the limits of an instance. A task that exceeds one
 * fails with an error that names the limit, which a {@code try} may handle.
 */
public final class InstanceQuota {
  private final int maxBytes;
  private final int maxDepth;
  private final int maxHeap;
  private final int maxErrorBytes;
  private final String depthLimit;
  private final long maxDelayNanos;
  private final int maxCompensations;

  /** The checks that follow from the limits. */
  public InstanceQuota(EngineLimits limits) {
    this.maxBytes = limits.instance().maxPayloadBytes();
    boolean read = limits.json().maxDepth() > limits.expression().maxDepth();
    this.maxDepth = read ? limits.json().maxDepth() : limits.expression().maxDepth();
    this.depthLimit = read ? "json.maxDepth" : "expression.maxDepth";
    this.maxHeap = limits.json().maxHeapBytes();
    this.maxErrorBytes = limits.instance().maxErrorBytes();
    this.maxDelayNanos = TimeUnit.DAYS.toNanos(limits.instance().maxTimerDays());
    this.maxCompensations = limits.instance().maxCompensations();
  }

  /** The error of an instance that needs more than a limit allows. */
  public static WorkflowError exceeded(String limit, long bound) {
    return WorkflowError.of(
        ErrorType.RUNTIME,
        "expected the instance to stay within "
            + limit
            + " = "
            + bound
            + ", found that it needs more");
  }

  /**
   * Returns the value when it is neither too large nor nested too deeply. Tasks can build such a
   * value without any large expression: a loop around a {@code fork} nests arrays and doubles them.
   */
  public Payload checked(Payload value) {
    if (!fits(value)) {
      throw new ExpressionException(excess(value));
    }
    return value;
  }

  /** Whether a value is within these limits. */
  public boolean fits(Payload value) {
    return value.isWithin(maxBytes, maxDepth, maxHeap);
  }

  private WorkflowError excess(Payload value) {
    if (!value.isWithin(maxBytes, Integer.MAX_VALUE, Integer.MAX_VALUE)) {
      return exceeded("instance.maxPayloadBytes", maxBytes);
    }
    return value.isWithin(maxBytes, maxDepth, Integer.MAX_VALUE)
        ? exceeded("json.maxHeapBytes", maxHeap)
        : exceeded(depthLimit, maxDepth);
  }

  /** Returns the error, or one that names the limit when it takes too much of the heap. */
  public WorkflowError checked(WorkflowError error) {
    return error.toPayload().heapBytes() <= maxErrorBytes
        ? error
        : exceeded("instance.maxErrorBytes", maxErrorBytes);
  }

  /**
   * Error of an instance whose tries handle errors that together exceed the heap allowed for one
   * value; null when they do not.
   */
  public @Nullable WorkflowError excessOfErrors(long heapBytes) {
    return heapBytes <= maxHeap ? null : exceeded("json.maxHeapBytes", maxHeap);
  }

  /** Weight of a list's items; fails when together they are larger than one value may be. */
  public long checkedWeight(List<Payload> items) {
    long weight = 0;
    for (Payload item : items) {
      weight += checked(item).weight();
      if (weight > maxBytes) {
        throw new ExpressionException(exceeded("instance.maxPayloadBytes", maxBytes));
      }
    }
    return weight;
  }

  /** Returns the delay when it is not longer than a timer's. */
  public long checkedDelay(long delayNanos) {
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

  /** Most completed tasks that can be compensated, with those that begin. */
  public int maxCompensations() {
    return maxCompensations;
  }

  /** The longest delay of a timer. */
  public long maxDelayNanos() {
    return maxDelayNanos;
  }
}

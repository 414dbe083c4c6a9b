package dev.pinion.core.kernel;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.HeapAccount;

/**
 * Where a kernel keeps the values of its instances.
 *
 * @param heap what they take of the heap, in all kernels of the replica
 * @param cold where those that wait are kept off the heap
 */
public record ValueSpace(HeapAccount heap, ColdStore cold) {
  /** The space of a kernel that is alone in its replica. */
  public static ValueSpace alone(EngineLimits limits, ColdStore cold) {
    return new ValueSpace(new HeapAccount(limits.kernel().maxHeldBytes()), cold);
  }
}

package dev.pinion.core.kernel.step.memory;

import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.HeapAccount;

/**
 * Storage of the values of a kernel's instances.
 *
 * @param heap account of their heap bytes, for all kernels of the replica
 * @param cold off-heap store of waiting values
 */
public record KernelMemory(HeapAccount heap, ColdStore cold) {
  /** The space of a kernel that is alone in its replica. */
  public static KernelMemory alone(EngineLimits limits, ColdStore cold) {
    return new KernelMemory(new HeapAccount(limits.kernel().maxHeldBytes()), cold);
  }
}

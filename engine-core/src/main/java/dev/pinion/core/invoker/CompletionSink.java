package dev.pinion.core.invoker;

import dev.pinion.core.message.KernelEvent;

/** Where the Invoker reports outcomes: in the engine, the completion lanes of the kernels. */
@FunctionalInterface
public interface CompletionSink {
  /**
   * Hands an outcome to a kernel. Called on the Invoker's event loop; must not block.
   *
   * @param kernel index of the kernel, as the call named it
   * @param done the outcome
   * @return whether there was room; a kernel that takes a permit for each call always has room
   */
  boolean offer(int kernel, KernelEvent.InvocationDone done);
}

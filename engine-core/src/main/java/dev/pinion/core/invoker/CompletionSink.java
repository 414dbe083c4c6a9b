package dev.pinion.core.invoker;

import dev.pinion.core.message.Completion;

/**
 * Receiver of outcomes and reports of late answers: in the engine, the completion lanes of the
 * kernels.
 */
@FunctionalInterface
public interface CompletionSink {
  /**
   * Sends a message to a kernel, in order. Called on the Invoker's event loop; must not block.
   *
   * @param kernel index of the kernel, as the call named it
   * @param completion an outcome, or the report of a late answer
   * @return whether there was room; a kernel that takes a permit for each call, and counts late
   *     answers, always has room
   */
  boolean offer(int kernel, Completion completion);
}

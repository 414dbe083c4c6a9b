package dev.pinion.core.api;

import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;

/**
 * The way from a Request Handler to the kernels of its replica. Called by the handler's event loop;
 * never blocks.
 */
public interface KernelDispatcher {
  /**
   * Offers a message to its kernel: a start to the owner of its partition, anything else to the
   * owner of the instance.
   *
   * @return whether there was room; when false nothing was stored
   */
  boolean offer(KernelMessage message);

  /**
   * Offers a question to every kernel; each that accepts it answers with its own part.
   *
   * @return whether every kernel had room; when false some may still answer
   */
  boolean offerToAll(Query.ListInstances question);

  /** Number of kernels, positive: the number of answers to {@link #offerToAll}. */
  int kernels();

  /** The partition for a new instance. */
  int startPartition();
}

package dev.pinion.core.api.port;

import dev.pinion.core.message.Command;
import dev.pinion.core.message.Query;

/**
 * The way from a Request Handler to the kernels of its replica. Called by the handler's event loop;
 * never blocks.
 */
public interface KernelDispatcher {
  /**
   * Offers a command to the kernel that owns its partition.
   *
   * @return whether there was room; when false nothing was stored
   */
  boolean offer(Command command);

  /**
   * Offers a query to the kernel that owns its instance.
   *
   * @return whether there was room; when false nothing was stored
   */
  boolean offer(Query.InstanceQuery query);

  /**
   * Offers a query to the kernel that owns its schedule.
   *
   * @return whether there was room; when false nothing was stored
   */
  boolean offer(Query.GetSchedule query);

  /**
   * Offers a question to every kernel; each that accepts it answers with its own part.
   *
   * @return whether every kernel had room; when false some may still answer
   */
  boolean offerToAll(Query.ListQuery question);

  /** Number of kernels, positive: the number of answers to {@link #offerToAll}. */
  int kernels();

  /** The partition for a new instance. */
  int startPartition();
}

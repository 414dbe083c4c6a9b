package dev.pinion.core.settings;

import dev.pinion.core.loop.IdleStrategy;

/**
 * Behaviour of idle event loops, by the stage they host.
 *
 * @param request loops of the Request Handler
 * @param kernel loops of the Kernel
 * @param invoker loops of the Invoker
 */
public record StageIdleStrategies(IdleStrategy request, IdleStrategy kernel, IdleStrategy invoker) {
  /** The same for every loop. */
  public static StageIdleStrategies all(IdleStrategy idleStrategy) {
    return new StageIdleStrategies(idleStrategy, idleStrategy, idleStrategy);
  }

  /**
   * Behaviour of a loop that hosts all three stages.
   *
   * @throws IllegalArgumentException when the stages differ, which one loop cannot follow
   */
  public IdleStrategy fused() {
    if (request != kernel || kernel != invoker) {
      throw new IllegalArgumentException(
          "expected one way of waiting for stages that share a loop, found " + this);
    }
    return request;
  }
}

package dev.pinion.core.engine;

import dev.pinion.core.loop.Waiting;

/**
 * Behaviour of idle event loops, by the stage they host.
 *
 * @param request loops of the Request Handler
 * @param kernel loops of the Kernel
 * @param invoker loops of the Invoker
 */
public record StageWaiting(Waiting request, Waiting kernel, Waiting invoker) {
  /** The same for every loop. */
  public static StageWaiting all(Waiting waiting) {
    return new StageWaiting(waiting, waiting, waiting);
  }

  /**
   * Behaviour of a loop that hosts all three stages.
   *
   * @throws IllegalArgumentException when the stages differ, which one loop cannot follow
   */
  Waiting fused() {
    if (request != kernel || kernel != invoker) {
      throw new IllegalArgumentException(
          "expected one way of waiting for stages that share a loop, found " + this);
    }
    return request;
  }
}

package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;

/** Work of a handler of these experiments on the bytes of a message. For use by any thread. */
@FunctionalInterface
interface BodyWork extends AutoCloseable {
  /** Performs the work; returns its result, so that no work can be optimised away. */
  Changes of(byte[] body) throws Exception;

  @Override
  default void close() {}
}

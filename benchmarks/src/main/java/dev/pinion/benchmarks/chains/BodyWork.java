package dev.pinion.benchmarks.chains;

import dev.pinion.handlers.api.Changes;

/** What a handler of these experiments does with the bytes of a message. For use by any thread. */
@FunctionalInterface
interface BodyWork extends AutoCloseable {
  /** Does it; answers with what it found out, so that no work can be left out. */
  Changes of(byte[] body) throws Exception;

  @Override
  default void close() {}
}

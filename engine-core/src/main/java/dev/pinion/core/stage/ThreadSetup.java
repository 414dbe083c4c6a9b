package dev.pinion.core.stage;

/**
 * Prepares a thread of the engine before it does anything else, such as pinning it to a CPU. Called
 * on that thread.
 */
@FunctionalInterface
public interface ThreadSetup {
  /** Leaves threads as they are. */
  ThreadSetup NONE = (role, kind) -> {};

  /** How much a thread matters to the time of an answer. */
  enum Kind {
    /** An event loop on the way of every request. */
    CRITICAL,
    /** A thread beside that way, to be kept off its CPUs and below its priority. */
    ANCILLARY
  }

  /**
   * Prepares the calling thread.
   *
   * @param role name of the thread, such as {@code kernel-0}
   * @param kind how much it matters
   */
  void prepare(String role, Kind kind);
}

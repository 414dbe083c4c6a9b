package dev.pinion.core.stage;

/**
 * Preparation of a thread of the engine before its work, such as pinning it to a CPU. Called on
 * that thread.
 */
@FunctionalInterface
public interface ThreadSetup {
  /** No preparation. */
  ThreadSetup NONE = (role, threadKind) -> {};

  /** Importance of a thread for response times. */
  enum ThreadKind {
    /** An event loop on the path of every request. */
    CRITICAL,
    /** A thread beside that path, to be kept off its CPUs and below its priority. */
    ANCILLARY
  }

  /**
   * Prepares the calling thread.
   *
   * @param role name of the thread, such as {@code kernel-0}
   * @param threadKind its importance
   */
  void prepare(String role, ThreadKind threadKind);
}

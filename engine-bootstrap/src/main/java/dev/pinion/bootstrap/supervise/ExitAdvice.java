package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.protocol.ReplicaProtocol;

/** Advice for a replica that dies repeatedly, by the end of its process. */
final class ExitAdvice {
  /** Status of a JVM that ends because its heap is full. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int SIGNALLED = 128;
  private static final int KILLED = SIGNALLED + 9;

  private ExitAdvice() {}

  /**
   * A sentence for people.
   *
   * @param status exit status; 128 plus the number of a signal that ended it
   * @param late whether this engine killed it for being late
   */
  static String of(int status, boolean late) {
    if (late) {
      return "it takes too long: see whether the machine is overloaded or swaps, and the last lines"
          + " of its log in the folder crash of the data folder";
    }
    return switch (status) {
      case OUT_OF_MEMORY ->
          "its heap is full: give it more (--heap), or lower kernel.maxHeldBytes (--set)";
      case ReplicaProtocol.EXIT_JOURNAL_FAILED ->
          "its journal cannot be written: see whether the disk is full or fails";
      case KILLED ->
          "something else kills it: see the kernel's log (dmesg) for the killer of processes when"
              + " memory runs out; a smaller --heap may help";
      default ->
          status > SIGNALLED
              ? "the JVM crashes: see its report (hs_err) in the folder crash of the data folder"
              : "see the last lines of its log in the folder crash of the data folder";
    };
  }
}

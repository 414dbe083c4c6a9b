package dev.pinion.core.limits;

/** Bounds of one kernel. */
public record KernelLimits(
    @Limit(
            value = 100_000,
            min = 1,
            max = 10_000_000,
            says = "running instances; a further start is refused")
        int maxInstances,
    @Limit(
            value = 256 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of values of running instances in the replica; beyond half "
                    + "of it values of waiting instances are packed, beyond it starts are refused; "
                    + "an instance faults that alone takes twice as much, or grows when all take "
                    + "thrice as much")
        int maxHeldBytes,
    @Limit(
            value = 10_000,
            min = 0,
            max = 10_000_000,
            says = "ended instances kept for queries; the oldest go first")
        int maxEnded,
    @Limit(
            value = 16 << 20,
            min = 0,
            max = Integer.MAX_VALUE,
            says =
                "heap bytes of ended instances; of short ones, long ones on the heap and long ones "
                    + "off it, the kind that takes most is evicted, oldest first")
        int maxEndedBytes,
    @Limit(
            value = 128 << 20,
            min = 0,
            max = Integer.MAX_VALUE,
            says = "bytes of long ended instances off the heap; the oldest go first")
        int maxEndedColdBytes,
    @Limit(
            value = 86_400,
            min = 1,
            max = 31_536_000,
            says = "time that an ended instance is kept for queries")
        int keepEndedSeconds,
    @Limit(
            value = 8_192,
            min = 1,
            max = 1 << 20,
            says = "calls in progress; further ones wait for a permit")
        int maxCalls,
    @Limit(
            value = 256,
            min = 1,
            max = 1 << 16,
            says = "evaluations handed to another thread; further ones wait for a permit")
        int maxEvaluations,
    @Limit(
            value = 8_192,
            min = 2,
            max = 1 << 20,
            says = "messages of the lane from Request Handlers")
        int inboxCapacity,
    @Limit(
            value = 64,
            min = 1,
            max = 1_000_000,
            says = "tasks that an instance may enter before the next one's turn")
        int stepsPerTurn,
    @Limit(
            value = 200_000,
            min = 0,
            max = 10_000_000,
            says =
                "keys of starts that are remembered, 150 bytes each; a further start with a key is "
                    + "refused")
        int maxStartKeys,
    @Limit(
            value = 1_440,
            min = 1,
            max = 525_600,
            says = "time that a key is remembered; longer while its instance is running")
        int startKeyMinutes,
    @Limit(
            value = 1 << 20,
            min = 0,
            max = 64 << 20,
            says =
                "size of the kept state of an instance with a failed task; a larger one can only "
                    + "be rerun")
        int maxRetryBytes,
    @Limit(
            value = 1_000,
            min = 0,
            max = 1_000_000,
            says = "starts that wait for one with the same ordering key; a further one is refused")
        int maxOrderedStarts,
    @Limit(
            value = 256,
            min = 1,
            max = 1 << 16,
            says =
                "answers of services that answer later, on their way through the Invoker; more: "
                    + "503")
        int maxLateAnswers,
    @Limit(
            value = Integer.MAX_VALUE,
            min = 0,
            max = Integer.MAX_VALUE,
            says =
                "bytes of waiting values off the heap, on the data folder's disk or without one in "
                    + "memory; further ones stay on the heap")
        int maxColdBytes) {
  /** Completions in progress to one kernel at most: the capacity of their lane. */
  public int maxCompletions() {
    return maxCalls + maxEvaluations + maxLateAnswers + 1; // one evaluation is for filters
  }

  /**
   * Calls, aborts and late answers of one kernel that an Invoker may not have read yet: the
   * capacity of their lane. For each permit there are at most the abort of a call whose outcome is
   * already on its way, the next call, and its abort.
   */
  public int maxInvocations() {
    return 3 * maxCalls + maxLateAnswers;
  }
}

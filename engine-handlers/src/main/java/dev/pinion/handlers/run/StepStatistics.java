package dev.pinion.handlers.run;

/**
 * Statistics of one step of a chain since it is in force.
 *
 * @param name the step
 * @param calls finished calls of the handler, including failed ones
 * @param nanos their total time
 * @param recentNanos moving mean of the time of a call
 * @param failures calls that failed, in any way
 * @param timeouts of these, calls that did not end in time
 * @param repeats calls that repeated one that failed
 * @param skipped messages that continued without the step, because it failed
 * @param stops messages that it stopped: answered, refused, or stopped because it failed
 * @param undone effects that were undone or rolled back
 * @param undoFailures effects that could not be undone
 * @param late calls that returned after their time-out
 * @param dropped messages that a oneway step did not get, for lack of room
 */
public record StepStatistics(
    String name,
    long calls,
    long nanos,
    long recentNanos,
    long failures,
    long timeouts,
    long repeats,
    long skipped,
    long stops,
    long undone,
    long undoFailures,
    long late,
    long dropped) {
  /** The difference to earlier statistics; the moving mean stays. */
  public StepStatistics since(StepStatistics earlier) {
    return new StepStatistics(
        name,
        calls - earlier.calls,
        nanos - earlier.nanos,
        recentNanos,
        failures - earlier.failures,
        timeouts - earlier.timeouts,
        repeats - earlier.repeats,
        skipped - earlier.skipped,
        stops - earlier.stops,
        undone - earlier.undone,
        undoFailures - earlier.undoFailures,
        late - earlier.late,
        dropped - earlier.dropped);
  }
}

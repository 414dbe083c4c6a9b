package dev.pinion.handlers.run;

/**
 * What has happened to one step of a chain since it is in force.
 *
 * @param name the step
 * @param calls calls of the handler that ended, those included that failed
 * @param nanos what they took together
 * @param recentNanos what one took lately on the average
 * @param failures calls that failed, in any way
 * @param timeouts of these, calls that did not end in time
 * @param repeats calls that repeated one that failed
 * @param skipped messages that went on without the step, because it failed
 * @param stops messages that it stopped: answered, refused, or not let pass because it failed
 * @param undone effects that were taken back or rolled back
 * @param undoFailures effects that could not be taken back
 * @param late calls that came back after their time
 * @param dropped messages of which a oneway step was told nothing, for want of room
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
  /** What has happened since an earlier look; the recent mean stays. */
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

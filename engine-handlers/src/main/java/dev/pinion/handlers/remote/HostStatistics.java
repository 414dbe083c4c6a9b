package dev.pinion.handlers.remote;

/**
 * Statistics of a handler host.
 *
 * @param inFlight attempts under way
 * @param remembered attempts that it would recognize
 * @param stuck threads that hang in handlers beyond their time
 * @param runs attempts that it ran
 * @param done with a verdict
 * @param failed without one
 * @param busy attempts refused for lack of room
 * @param duplicates attempts that it had before, and answered from memory or from the table
 * @param takenOver effects that a lost host had begun
 * @param fenced answers that were not sent because another host has the effect by now
 * @param overdue attempts that did not end in time
 * @param givenUp stored messages that failed finally, or too often
 * @param garbage bytes that were not a frame, or of an unknown version
 */
public record HostStatistics(
    int inFlight,
    int remembered,
    int stuck,
    long runs,
    long done,
    long failed,
    long busy,
    long duplicates,
    long takenOver,
    long fenced,
    long overdue,
    long givenUp,
    long garbage) {
  /** For people, on one line. */
  public String text() {
    return inFlight
        + " under way, "
        + done
        + " done, "
        + failed
        + " failed, "
        + busy
        + " refused for want of room, "
        + duplicates
        + " known already, "
        + takenOver
        + " taken over, "
        + fenced
        + " fenced off, "
        + overdue
        + " overdue, "
        + stuck
        + " stuck, "
        + givenUp
        + " given up, "
        + garbage
        + " malformed";
  }
}

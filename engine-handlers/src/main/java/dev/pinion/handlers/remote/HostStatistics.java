package dev.pinion.handlers.remote;

/**
 * What has happened in a handler host.
 *
 * @param inFlight attempts that it has now
 * @param remembered attempts that it would know again
 * @param stuck threads that hang in handlers beyond their time
 * @param runs attempts that it ran
 * @param done with a verdict
 * @param failed without one
 * @param busy attempts for which there was no room
 * @param duplicates attempts that it had already, and answered from memory or from the table
 * @param takenOver effects that a lost host had begun
 * @param fenced answers that were not given because another host has the effect by now
 * @param overdue attempts that did not end in time
 * @param givenUp messages kept by a server that failed for good, or too often
 * @param garbage bytes that were no frame, or of an unknown version
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

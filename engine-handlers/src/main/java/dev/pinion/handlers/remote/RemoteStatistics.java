package dev.pinion.handlers.remote;

/**
 * What has happened to the attempts that a requester gave to hosts.
 *
 * @param inFlight under way now
 * @param begun attempts
 * @param done with a verdict
 * @param failed without one
 * @param sentAgain frames that were sent again because nobody answered
 * @param busy answers that a host has no room
 * @param lostHosts hosts that were lost while they had an attempt, counted for each attempt
 * @param inDoubt attempts of which nobody knows whether they had their effect
 * @param late answers that came after their time
 * @param stray frames that nobody waited for
 * @param garbage bytes that were no frame, or of an unknown version
 * @param refused attempts beyond the most in flight
 */
public record RemoteStatistics(
    int inFlight,
    long begun,
    long done,
    long failed,
    long sentAgain,
    long busy,
    long lostHosts,
    long inDoubt,
    long late,
    long stray,
    long garbage,
    long refused) {}

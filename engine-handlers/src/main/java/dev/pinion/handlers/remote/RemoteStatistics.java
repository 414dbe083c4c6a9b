package dev.pinion.handlers.remote;

/**
 * Statistics of the attempts that a requester sent to hosts.
 *
 * @param inFlight under way now
 * @param begun attempts begun
 * @param done attempts with a verdict
 * @param stored attempts stored by a server for hosts; their end is known there
 * @param failed attempts without a verdict
 * @param sentAgain messages that were sent again because no host took them, or because their host
 *     was lost or had no room
 * @param probes messages that were sent again to the host that has them, which has not answered:
 *     its answer may have been lost
 * @param busy answers of hosts without room
 * @param lostHosts hosts that were lost while they had an attempt, counted for each attempt
 * @param inDoubt attempts of which it is unknown whether they had their effect
 * @param late answers after the time-out
 * @param stray frames without a waiting attempt
 * @param garbage bytes that were not a frame, or of an unknown version
 * @param refused attempts beyond the most in flight
 */
public record RemoteStatistics(
    int inFlight,
    long begun,
    long done,
    long stored,
    long failed,
    long sentAgain,
    long probes,
    long busy,
    long lostHosts,
    long inDoubt,
    long late,
    long stray,
    long garbage,
    long refused) {}

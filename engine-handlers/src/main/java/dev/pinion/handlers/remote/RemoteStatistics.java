package dev.pinion.handlers.remote;

/**
 * What has happened to the attempts that a requester gave to hosts.
 *
 * @param inFlight under way now
 * @param begun attempts
 * @param done with a verdict
 * @param stored kept by a server for hosts; how they end is known there
 * @param failed without one
 * @param sentAgain messages that were sent again because nobody took them, or because the host that
 *     had them was lost or had no room
 * @param probes messages that were sent again to the host that has them, which was silent about
 *     them: its answer may have got lost
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

package dev.pinion.bootstrap.process;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a replica tells of itself each time it says that it is alive.
 *
 * @param delayMicros queueing delay in microseconds: how long work waited for an event loop at this
 *     beat, or the longest time that a start waited for a kernel since the beat before
 * @param running instances under way
 * @param connections open client connections
 * @param bindingVersion version of the binding table in force; 0 for none
 * @param diskFull whether it refuses starts for want of room on the disk
 * @param refusingLimit the limit for which it refuses starts, and has done so for long; empty for
 *     none
 */
public record Beat(
    long delayMicros,
    long running,
    long connections,
    long bindingVersion,
    boolean diskFull,
    String refusingLimit) {
  private static final Pattern LINE =
      Pattern.compile(
          Pattern.quote(ReplicaProtocol.BEAT)
              + " delayMicros=(\\d{1,18}) running=(\\d{1,18}) connections=(\\d{1,18})"
              + " bindings=(\\d{1,18}) diskFull=(true|false) limit=([\\w.]*)");

  /** The line of the protocol. */
  public String line() {
    return ReplicaProtocol.BEAT
        + " delayMicros="
        + delayMicros
        + " running="
        + running
        + " connections="
        + connections
        + " bindings="
        + bindingVersion
        + " diskFull="
        + diskFull
        + " limit="
        + refusingLimit;
  }

  /** Reads a line of the protocol; null when it is no beat. */
  public static @Nullable Beat parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? new Beat(
            Long.parseLong(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            Long.parseLong(matcher.group(4)),
            Boolean.parseBoolean(matcher.group(5)),
            matcher.group(6))
        : null;
  }
}

package dev.pinion.bootstrap.protocol;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Status of a replica in each heartbeat.
 *
 * @param delayMicros queueing delay in microseconds: the wait of work for an event loop at this
 *     beat, or the longest wait of a start for a kernel since the previous beat
 * @param running instances under way
 * @param connections open client connections
 * @param bindingVersion version of the binding table in force; 0 for none
 * @param diskFull whether it refuses starts because the disk is full
 * @param refusingLimit the limit because of which it refuses starts, and has for long; empty for
 *     none
 */
public record Heartbeat(
    long delayMicros,
    long running,
    long connections,
    long bindingVersion,
    boolean diskFull,
    String refusingLimit) {
  private static final Pattern LINE =
      Pattern.compile(
          Pattern.quote(ReplicaProtocol.HEARTBEAT)
              + " delayMicros=(\\d{1,18}) running=(\\d{1,18}) connections=(\\d{1,18})"
              + " bindings=(\\d{1,18}) diskFull=(true|false) limit=([\\w.]*)");

  /** Line of the protocol. */
  public String line() {
    return ReplicaProtocol.HEARTBEAT
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

  /** Reads a line of the protocol; null when it is not a beat. */
  public static @Nullable Heartbeat parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? new Heartbeat(
            Long.parseLong(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            Long.parseLong(matcher.group(4)),
            Boolean.parseBoolean(matcher.group(5)),
            matcher.group(6))
        : null;
  }
}

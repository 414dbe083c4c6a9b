package dev.pinion.bootstrap.protocol;

import java.time.Duration;

/**
 * Protocol between parent and replica, line by line.
 *
 * <p>The parent writes the settings as lines of key=value and an empty line to the replica's
 * standard input, and later {@link #PEERS}, {@link #SLOTS}, {@link ProfileRequest} and {@link
 * #DRAIN}. The end of that input means that the parent has ended. The replica writes {@link #JOINS}
 * to its standard output when it can hold partitions, and {@link #READY} with its port once it
 * holds those of its own slot, or {@link #REFUSED} when it cannot start, and {@link #HEARTBEAT} and
 * {@link #METRICS} while it is well. Any other line is text for people.
 */
public final class ReplicaProtocol {
  /**
   * From the replica: it runs, and serves as soon as its own slot is assigned to it and it holds
   * the slot.
   */
  public static final String JOINS = "@joins";

  /** From the replica: serving, followed by a space and the port. */
  public static final String READY = "@ready";

  /** From the replica: it cannot start, followed by a space and the reason, one sentence. */
  public static final String REFUSED = "@refused";

  /** From the replica: alive and well, followed by the content of {@link Heartbeat}. */
  public static final String HEARTBEAT = "@beat";

  /** From the replica after a beat: its counters, in the format of {@link MetricsLine}. */
  public static final String METRICS = "@metrics";

  /** From the parent, followed by a space and their indexes: the replicas that serve now. */
  public static final String PEERS = "@peers";

  /**
   * From the parent, followed by a space, a version, and the assigned replica of each slot: a
   * replica releases partitions that are assigned to others.
   */
  public static final String SLOTS = "@slots";

  /**
   * From the parent, at most once a second: a check of others, in the format of {@link
   * HealthCheck}.
   */
  public static final String CHECK = "@check";

  /** From the parent: refuse starts, finish work under way, then exit with 0. */
  public static final String DRAIN = "@drain";

  /** Time between two beats. */
  public static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

  /** Exit status: the data folder is missing or a different one (EX_NOINPUT of sysexits(3)). */
  public static final int EXIT_DATA_LOST = 66;

  /** Exit status of a history without progress (EX_SOFTWARE of sysexits(3)). */
  public static final int EXIT_HANGS = 70;

  /** Exit status: the journal can no longer be written (EX_IOERR of sysexits(3)). */
  public static final int EXIT_JOURNAL_FAILED = 74;

  /** Exit status of a history whose database was replaced (EX_TEMPFAIL of sysexits(3)). */
  public static final int EXIT_RESTART = 75;

  /** Exit status of a replica that could not start with its settings and would fail again. */
  public static final int EXIT_CANNOT_START = 78;

  /** Exit status of a replica whose parent has ended. */
  public static final int EXIT_ORPHANED = 79;

  private ReplicaProtocol() {}
}

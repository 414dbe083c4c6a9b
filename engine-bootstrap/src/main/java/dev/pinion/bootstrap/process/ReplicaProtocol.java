package dev.pinion.bootstrap.process;

import java.time.Duration;

/**
 * What parent and replica say to each other, a line at a time.
 *
 * <p>The parent writes the settings as one line of JSON to the replica's standard input, and later
 * {@link #PEERS}, {@link #SLOTS}, {@link ProfileOrder} and {@link #DRAIN}. The end of that input
 * means that the parent is gone. The replica writes {@link #JOINS} to its standard output when it
 * can hold partitions, and {@link #READY} with its port once it holds those of its own slot, or
 * {@link #REFUSED} when it cannot start, and {@link #BEAT} and {@link #METRICS} for as long as it
 * is well. Any other line is text for people.
 */
public final class ReplicaProtocol {
  /** From the replica: it runs, and serves as soon as it is assigned its own slot and holds it. */
  public static final String JOINS = "@joins";

  /** From the replica: serving, followed by a space and the port. */
  public static final String READY = "@ready";

  /** From the replica: it cannot start, followed by a space and the reason, one sentence. */
  public static final String REFUSED = "@refused";

  /** From the replica: alive and well, followed by what {@link Beat} tells. */
  public static final String BEAT = "@beat";

  /** From the replica after a beat: what it counts, as {@link MetricsLine} writes it. */
  public static final String METRICS = "@metrics";

  /** From the parent, followed by a space and their indexes: the replicas that serve now. */
  public static final String PEERS = "@peers";

  /**
   * From the parent, followed by a space, a version, and the replica that is to hold each slot: who
   * has partitions that others are to hold lets go of them.
   */
  public static final String SLOTS = "@slots";

  /** From the parent, at most once a second: a check of others, as {@link HealthCheck} has it. */
  public static final String CHECK = "@check";

  /** From the parent: refuse starts, finish what is under way, then exit with 0. */
  public static final String DRAIN = "@drain";

  /** Time between two beats. */
  public static final Duration BEAT_INTERVAL = Duration.ofSeconds(1);

  /** Exit status: the data folder is gone or another one (EX_NOINPUT of sysexits(3)). */
  public static final int EXIT_DATA_LOST = 66;

  /** Exit status of a history whose work does not come further (EX_SOFTWARE of sysexits(3)). */
  public static final int EXIT_HANGS = 70;

  /** Exit status: the journal cannot be written any more (EX_IOERR of sysexits(3)). */
  public static final int EXIT_JOURNAL_FAILED = 74;

  /** Exit status of a history whose database is another one now (EX_TEMPFAIL of sysexits(3)). */
  public static final int EXIT_BEGIN_ANEW = 75;

  /** Exit status of a replica that could not start with its settings and would fail again. */
  public static final int EXIT_CANNOT_START = 78;

  /** Exit status of a replica whose parent is gone. */
  public static final int EXIT_ORPHANED = 79;

  private ReplicaProtocol() {}
}

package dev.pinion.bootstrap.supervise;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** What happened to replicas: each event is a line of the log, and the latest are kept. */
public final class SupervisionEvents {
  /** Events kept. */
  public static final int MAX_EVENTS = 256;

  /** The replica of an event that is about all of them. */
  public static final int ALL = -1;

  private final EventLog log;
  private final Supplier<Instant> clock;
  private final Deque<Event> latest = new ArrayDeque<>(MAX_EVENTS);
  private long count;

  /**
   * None so far.
   *
   * @param log where each is told
   * @param clock the time of events
   */
  public SupervisionEvents(EventLog log, Supplier<Instant> clock) {
    this.log = log;
    this.clock = clock;
  }

  /** What an event is about. */
  public enum Kind {
    /** A process was started. */
    STARTED(Level.QUIET),
    /** A replica serves. */
    SERVING(Level.INFO),
    /** A replica said something. */
    SAID(Level.INFO),
    /** A replica took too long and is killed. */
    KILLED(Level.WARN),
    /** A process died and will be started again. */
    DIED(Level.WARN),
    /** A replica died too often or cannot start; it is tried again later. */
    BROKEN(Level.ERROR),
    /** What is left of a process that died. */
    EVIDENCE(Level.QUIET),
    /** A replica finishes what is under way. */
    DRAINING(Level.QUIET),
    /** A replica is gone until it is wanted again. */
    STOPPED(Level.QUIET),
    /** A restart of replicas, one at a time, began or ended. */
    RESTART(Level.INFO),
    /** A restart of replicas was given up. */
    RESTART_FAILED(Level.WARN),
    /** A replica is added or removed for the load. */
    SCALED(Level.INFO),
    /** The whole engine is asked to stop. */
    STOPPING(Level.INFO),
    /** The whole engine is asked to stop at once. */
    ABANDONED(Level.WARN),
    /** No replica can be kept running. */
    FAILED(Level.ERROR);

    private final Level level;

    Kind(Level level) {
      this.level = level;
    }
  }

  /** How loud the log tells an event. */
  private enum Level {
    QUIET,
    INFO,
    WARN,
    ERROR
  }

  /**
   * An event.
   *
   * @param number counts from 1
   * @param time when
   * @param kind what it is about
   * @param replica which replica, or {@link #ALL}
   * @param text a sentence for people
   */
  public record Event(long number, Instant time, Kind kind, int replica, String text) {}

  /** Takes note of an event. Any thread. */
  void record(Kind kind, int replica, String text) {
    keep(kind, replica, text);
    switch (kind.level) {
      case QUIET -> {
        // only for those who ask
      }
      case INFO -> log.info(text);
      case WARN -> log.warn(text);
      case ERROR -> log.error(text);
    }
  }

  private synchronized void keep(Kind kind, int replica, String text) {
    if (latest.size() == MAX_EVENTS) {
      latest.removeFirst();
    }
    latest.addLast(new Event(++count, clock.get(), kind, replica, text));
  }

  /**
   * The latest events, the oldest first. Any thread.
   *
   * @param limit most of them
   */
  public synchronized List<Event> latest(int limit) {
    return latest.stream().skip(Math.max(0, latest.size() - limit)).toList();
  }
}

package dev.pinion.bootstrap.supervise;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Events of replicas: each is a line of the log, and the latest are kept in memory. */
public final class SupervisionEvents {
  /** Number of events kept. */
  public static final int MAX_EVENTS = 256;

  /** Replica index of an event about all of them. */
  public static final int ALL = -1;

  private final SupervisorLog log;
  private final Supplier<Instant> clock;
  private final Deque<Event> latest = new ArrayDeque<>(MAX_EVENTS);
  private long count;

  /**
   * Creates an empty list.
   *
   * @param log log of all events
   * @param clock clock of the events
   */
  public SupervisionEvents(SupervisorLog log, Supplier<Instant> clock) {
    this.log = log;
    this.clock = clock;
  }

  /** Kinds of events. */
  public enum EventKind {
    /** A process was started. */
    STARTED(Level.QUIET),
    /** A replica serves. */
    SERVING(Level.INFO),
    /** A replica sent a text for people. */
    SAID(Level.INFO),
    /** A replica was late and is killed. */
    KILLED(Level.WARN),
    /** A process died and will be restarted. */
    DIED(Level.WARN),
    /** A replica died too often or cannot start; it is tried again later. */
    BROKEN(Level.ERROR),
    /** Location of a dead process's report. */
    EVIDENCE(Level.QUIET),
    /** A replica finishes its work under way. */
    DRAINING(Level.QUIET),
    /** A replica has ended until it is wanted again. */
    STOPPED(Level.QUIET),
    /** A restart of replicas, one at a time, began or ended. */
    RESTART(Level.INFO),
    /** A restart of replicas was abandoned. */
    RESTART_FAILED(Level.WARN),
    /** A replica is added or removed because of the load. */
    SCALED(Level.INFO),
    /** The whole engine is asked to stop. */
    STOPPING(Level.INFO),
    /** The whole engine is asked to stop immediately. */
    ABANDONED(Level.WARN),
    /** No replica can be kept running. */
    FAILED(Level.ERROR);

    private final Level level;

    EventKind(Level level) {
      this.level = level;
    }
  }

  /** Log level of an event. */
  private enum Level {
    QUIET,
    INFO,
    WARN,
    ERROR
  }

  /**
   * An event.
   *
   * @param number number of the event, from 1
   * @param time its time
   * @param kind its kind
   * @param replica index of the replica, or {@link #ALL}
   * @param text a sentence for people
   */
  public record Event(long number, Instant time, EventKind kind, int replica, String text) {}

  /** Records an event. For any thread. */
  void record(EventKind eventKind, int replica, String text) {
    append(eventKind, replica, text);
    switch (eventKind.level) {
      case QUIET -> {
        // only on request
      }
      case INFO -> log.info(text);
      case WARN -> log.warn(text);
      case ERROR -> log.error(text);
    }
  }

  private synchronized void append(EventKind eventKind, int replica, String text) {
    if (latest.size() == MAX_EVENTS) {
      latest.removeFirst();
    }
    latest.addLast(new Event(++count, clock.get(), eventKind, replica, text));
  }

  /**
   * The latest events, in order. For any thread.
   *
   * @param limit most events
   */
  public synchronized List<Event> latest(int limit) {
    return latest.stream().skip(Math.max(0, latest.size() - limit)).toList();
  }
}

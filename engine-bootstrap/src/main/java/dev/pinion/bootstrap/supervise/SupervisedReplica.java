package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaProcess;
import dev.pinion.bootstrap.process.ReplicaProtocol;
import dev.pinion.bootstrap.process.ReplicaSettings;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One replica and what its supervisor remembers of it. Used by the supervisor's thread only. Times
 * are nanoseconds of one monotonic clock.
 */
final class SupervisedReplica {
  private final SupervisorSettings patience;
  private final EventLog log;
  private final RestartPolicy restarts = new RestartPolicy();
  private ReplicaSettings settings;
  private ReplicaState state = ReplicaState.WAITING;
  private @Nullable ReplicaProcess process;
  private int generation;
  private boolean served;
  private long startedNs;
  private long deadlineNs;

  SupervisedReplica(
      ReplicaSettings settings, SupervisorSettings patience, EventLog log, long nowNs) {
    this.settings = settings;
    this.patience = patience;
    this.log = log;
    this.deadlineNs = nowNs;
  }

  ReplicaState state() {
    return state;
  }

  ReplicaSettings settings() {
    return settings;
  }

  /** Which of its processes is the current one; what earlier ones say does not count. */
  int generation() {
    return generation;
  }

  long pid() {
    return process == null ? -1 : process.pid();
  }

  /** A name for people. */
  String name() {
    return "replica " + settings.index() + (process == null ? "" : " (process " + pid() + ")");
  }

  /** Counts the coming process, so that what it says can be told from what others said. */
  int nextGeneration() {
    return ++generation;
  }

  void onStarted(ReplicaProcess started, long nowNs) {
    state = state.to(ReplicaState.STARTING);
    process = started;
    startedNs = nowNs;
    deadlineNs = nowNs + patience.startTimeout().toNanos();
  }

  /** A restart listens where its forerunner did. */
  void onReady(int port, long nowNs) {
    if (state == ReplicaState.STARTING) {
      state = state.to(ReplicaState.READY);
      settings = settings.withPort(port);
      served = true;
      onBeat(nowNs);
    }
  }

  void onBeat(long nowNs) {
    if (state == ReplicaState.READY) {
      deadlineNs = nowNs + patience.silenceTimeout().toNanos();
    }
  }

  /** Gives a replica the benefit of the doubt after the supervisor itself stood still. */
  void postpone(long pausedNs) {
    deadlineNs += pausedNs;
  }

  boolean mustStart(long nowNs) {
    return state == ReplicaState.WAITING && nowNs - deadlineNs >= 0;
  }

  /** Kills a process that took too long for what it should do. */
  void killIfLate(long nowNs) {
    if (process == null || nowNs - deadlineNs < 0) {
      return;
    }
    switch (state) {
      case STARTING -> killFor("did not serve within " + patience.startTimeout());
      case READY -> killFor("was silent for " + patience.silenceTimeout());
      case DRAINING -> killFor("did not finish within " + patience.shutdownTimeout());
      default -> {
        // nothing runs
      }
    }
    deadlineNs = nowNs + patience.silenceTimeout().toNanos();
  }

  private void killFor(String reason) {
    log.warn(name() + " " + reason + " and is killed");
    kill();
  }

  void kill() {
    if (process != null) {
      process.kill();
    }
  }

  /** Begins an orderly stop. */
  void drain(long nowNs) {
    switch (state) {
      case WAITING -> state = state.to(ReplicaState.STOPPED);
      case STARTING, READY -> {
        state = state.to(ReplicaState.DRAINING);
        deadlineNs =
            nowNs + patience.shutdownTimeout().plus(SupervisorSettings.SHUTDOWN_GRACE).toNanos();
        if (process != null) {
          process.say(ReplicaProtocol.DRAIN);
        }
      }
      default -> {
        // it is on its way already
      }
    }
  }

  /**
   * Takes note of the end of its process.
   *
   * @return a reason to give up on it, or null to go on
   */
  @Nullable String onExit(int status, long nowNs) {
    String ended = name() + " ended with status " + status;
    process = null;
    if (state == ReplicaState.DRAINING) {
      state = state.to(ReplicaState.STOPPED);
      return null;
    }
    if (!served && status == ReplicaProtocol.EXIT_CANNOT_START) {
      state = state.to(ReplicaState.STOPPED);
      return ended + ": it cannot start with these settings";
    }
    OptionalLong delay = restarts.onDeath(startedNs, nowNs);
    if (delay.isEmpty()) {
      state = state.to(ReplicaState.STOPPED);
      return ended
          + ", the "
          + RestartPolicy.MAX_DEATHS
          + "th time within "
          + RestartPolicy.WINDOW.toSeconds()
          + " s: giving up";
    }
    state = state.to(ReplicaState.WAITING);
    deadlineNs = nowNs + delay.getAsLong();
    log.warn(ended + "; next start in " + delay.getAsLong() / 1_000_000 + " ms");
    return null;
  }
}

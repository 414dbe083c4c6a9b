package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.MetricsLine;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import dev.pinion.bootstrap.supervise.ReplicaStatus.CircuitBreaker;
import dev.pinion.bootstrap.supervise.ReplicaStatus.LastExit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One replica with its supervisor's records of it. Used by the supervisor's thread only. Times are
 * nanoseconds of one monotonic clock.
 */
final class SupervisedReplica {
  /** Exit status of a process ended by a signal, less the number of the signal. */
  private static final int SIGNALLED = 128;

  private static final CompletableFuture<Duration> NO_RECOVERY =
      CompletableFuture.completedFuture(Duration.ZERO);

  private final SupervisorSettings patience;
  private final RestartPolicy restarts;
  private final RestartCounts restartCounts = new RestartCounts();
  private ReplicaStart start;
  private ReplicaState state;
  private ReplicaStarter.@Nullable Child process;
  private int generation;
  private boolean served;
  private boolean comesBack;

  /** Whether it takes part in the table of slots. */
  private boolean joined;

  private boolean trial;
  private boolean hopeless;
  private String trouble = "";
  private long startedNs;
  private long deadlineNs;

  /** Time allowance for the recovery of the present start, beside {@link #deadlineNs}. */
  private CompletableFuture<Duration> recoveryTime = NO_RECOVERY;

  /** Why it cannot start, as it reported; it will end. */
  private @Nullable String refusal;

  private @Nullable String killedFor;
  private boolean abandoned;
  private @Nullable LastExit lastExit;
  private @Nullable Heartbeat lastBeat;
  private String metrics = "";

  SupervisedReplica(ReplicaStart first, SupervisorSettings patience, boolean wanted, long nowNs) {
    this.start = first;
    this.patience = patience;
    this.restarts = new RestartPolicy(patience.restartWindow());
    this.state = wanted ? ReplicaState.WAITING : ReplicaState.STOPPED;
    this.deadlineNs = nowNs;
    this.joined = wanted;
  }

  int index() {
    return start.index();
  }

  ReplicaState state() {
    return state;
  }

  ReplicaStart start() {
    return start;
  }

  /** Generation of its current process; messages of earlier ones are ignored. */
  int generation() {
    return generation;
  }

  /** Whether it serves, or will as soon as possible. */
  boolean sound() {
    return switch (state) {
      case WAITING, STARTING, READY -> true;
      case DRAINING -> comesBack;
      case BROKEN, STOPPED -> false;
    };
  }

  /** Whether it serves and is not on trial. */
  boolean servesAgain(long nowNs) {
    return state == ReplicaState.READY && !onTrial(nowNs);
  }

  /** Called when it can hold partitions. */
  void onJoins() {
    joined = true;
  }

  /**
   * Whether it holds slots: from joining until it has been missing for longer than a restart takes.
   */
  boolean stands() {
    joined = joined && state != ReplicaState.STOPPED && state != ReplicaState.BROKEN;
    return joined;
  }

  boolean isLeaving() {
    return state == ReplicaState.DRAINING && !comesBack;
  }

  long pid() {
    return process == null ? -1 : process.pid();
  }

  @Nullable Heartbeat lastBeat() {
    return lastBeat;
  }

  /** A name for people. */
  String name() {
    return "replica " + index() + (process == null ? "" : " (process " + pid() + ")");
  }

  ReplicaStatus status(long nowNs) {
    Duration uptime = process == null ? Duration.ZERO : Duration.ofNanos(nowNs - startedNs);
    return new ReplicaStatus(
        index(), state, pid(), generation, uptime, breaker(nowNs), lastExit, lastBeat, metrics);
  }

  private CircuitBreaker breaker(long nowNs) {
    if (state == ReplicaState.BROKEN) {
      return CircuitBreaker.OPEN;
    }
    return onTrial(nowNs) ? CircuitBreaker.HALF_OPEN : CircuitBreaker.CLOSED;
  }

  private boolean onTrial(long nowNs) {
    return trial && nowNs - startedNs < patience.restartWindow().toNanos();
  }

  /**
   * Increments the generation for the next process, so that messages of processes can be
   * distinguished.
   */
  int nextGeneration() {
    if (generation > 0) {
      restartCounts.onRestart();
    }
    return ++generation;
  }

  void onStarted(ReplicaStarter.Child started, long nowNs) {
    trial = state == ReplicaState.BROKEN;
    hopeless = false;
    state = state.to(ReplicaState.STARTING);
    process = started;
    refusal = null;
    killedFor = null;
    abandoned = false;
    lastBeat = null;
    metrics = "";
    startedNs = nowNs;
    recoveryTime = patience.recoveryTime().get();
    deadlineNs = nowNs + patience.startTimeout().toNanos();
  }

  /** Its restarts by reason. */
  Map<RestartReason, Integer> restartsByReason() {
    return restartCounts.now();
  }

  /**
   * Whether a manual restart would fail too: it has never served, and has reported why it cannot.
   */
  boolean isHopeless() {
    return hopeless;
  }

  /**
   * Schedules a broken replica without a substitute earlier than others.
   *
   * @return the delay until then
   */
  Duration retryAlone(long nowNs) {
    long delayNs = restarts.lonelyRetryNs();
    deadlineNs = nowNs + delayNs;
    return Duration.ofNanos(delayNs);
  }

  /** Called when its process could not even be started; it is tried again later. */
  void onNotStarted(long nowNs) {
    restartCounts.onEnd(RestartReason.NOT_STARTED);
    hopeless = !served;
    toBroken(nowNs);
  }

  private void toBroken(long nowNs) {
    state = state.to(ReplicaState.BROKEN);
    deadlineNs = nowNs + RestartPolicy.RETRY.toNanos();
  }

  /**
   * Handles a line about its state: a heartbeat, metrics, a refusal to start, or that it joins.
   *
   * @return false when the line is about something else
   */
  boolean understands(String line, long nowNs) {
    Heartbeat heartbeat = Heartbeat.parse(line);
    String reported = MetricsLine.parse(line);
    if (heartbeat != null) {
      onBeat(heartbeat, nowNs);
    } else if (reported != null) {
      metrics = reported;
    } else if (line.equals(ReplicaProtocol.JOINS)) {
      onJoins();
    } else if (line.startsWith(ReplicaProtocol.REFUSED + " ")) {
      refusal = line.substring(ReplicaProtocol.REFUSED.length() + 1);
    } else {
      return false;
    }
    return true;
  }

  /**
   * Called when it is ready. A restart of a single replica listens on the port of its predecessor.
   */
  void onReady(int port, long nowNs) {
    if (state == ReplicaState.STARTING) {
      state = state.to(ReplicaState.READY);
      if (start.dispatch() == DispatchMode.DIRECT) {
        start = start.withPort(port);
      }
      served = true;
      quietUntil(nowNs);
    }
  }

  private void onBeat(Heartbeat heartbeat, long nowNs) {
    lastBeat = heartbeat;
    if (state == ReplicaState.READY) {
      quietUntil(nowNs);
    }
  }

  private void quietUntil(long nowNs) {
    deadlineNs = nowNs + patience.silenceTimeout().toNanos();
  }

  /** Extends its deadline after the supervisor itself stood still. */
  void postpone(long pausedNs) {
    deadlineNs += pausedNs;
  }

  boolean mustStart(long nowNs) {
    return (state == ReplicaState.WAITING || state == ReplicaState.BROKEN)
        && nowNs - deadlineNs >= 0;
  }

  /** Starts it at the next check, whatever it is waiting for. */
  void startSoon(long nowNs) {
    if (state == ReplicaState.STOPPED) {
      state = state.to(ReplicaState.WAITING);
    }
    deadlineNs = nowNs;
  }

  /**
   * Kills a process that is late.
   *
   * @return the missed expectation, or null when there was nothing to kill
   */
  @Nullable String killIfLate(long nowNs) {
    if (process == null || !isLate(nowNs)) {
      return null;
    }
    process.kill();
    killedFor =
        switch (state) {
          case STARTING ->
              "did not serve within " + patience.startTimeout().plus(recoveryTime.join());
          case READY -> "was silent for " + patience.silenceTimeout();
          default -> "did not finish within " + patience.shutdownTimeout();
        };
    deadlineNs = nowNs + patience.silenceTimeout().toNanos();
    recoveryTime = NO_RECOVERY;
    return killedFor;
  }

  private boolean isLate(long nowNs) {
    long lateNs = nowNs - deadlineNs;
    if (state != ReplicaState.STARTING) {
      return lateNs >= 0;
    }
    return recoveryTime.isDone() && lateNs >= recoveryTime.join().toNanos();
  }

  /** Kills its process on request, which is not a death to report. */
  void kill() {
    abandoned = true;
    if (process != null) {
      process.kill();
    }
  }

  /** Sets the reason why it is broken. */
  void trouble(String reason) {
    trouble = reason;
  }

  /** Its status while it does not serve, for people. */
  String statusText(long nowNs) {
    long seconds = Math.max(0, Duration.ofNanos(deadlineNs - nowNs).toSeconds());
    return name()
        + switch (state) {
          case STARTING -> " starts";
          case WAITING -> " is started again in " + seconds + " s";
          case BROKEN -> " does not serve: " + trouble + "; next try in " + seconds + " s";
          case DRAINING -> " finishes its work under way";
          case READY -> " serves";
          case STOPPED -> " is not wanted";
        };
  }

  void send(String line) {
    if (process != null) {
      process.send(line);
    }
  }

  /**
   * Starts an orderly end; the process is still to be notified.
   *
   * @param again whether another process follows
   * @return whether there is a process to notify
   */
  boolean drain(boolean again, long nowNs) {
    comesBack = again;
    if (state == ReplicaState.STARTING || state == ReplicaState.READY) {
      state = state.to(ReplicaState.DRAINING);
      deadlineNs =
          nowNs + patience.shutdownTimeout().plus(SupervisorSettings.SHUTDOWN_GRACE).toNanos();
      return true;
    }
    if (state == ReplicaState.WAITING || state == ReplicaState.BROKEN) {
      if (again) {
        startSoon(nowNs);
      } else {
        state = state.to(ReplicaState.STOPPED);
      }
    }
    return false;
  }

  /**
   * Records the end of its process, which decides its next state.
   *
   * @return description of the end
   */
  ProcessExit onExit(int status, Instant time, long nowNs) {
    lastExit = new LastExit(time, status, "ended with " + text(status));
    String told = name() + " " + lastExit.text();
    CrashReports.CrashReport crashReport = death(lastExit, nowNs);
    process = null;
    restartCounts.onEnd(restartReason());
    if (state == ReplicaState.DRAINING) {
      state = state.to(comesBack ? ReplicaState.WAITING : ReplicaState.STOPPED);
      deadlineNs = nowNs;
      return new ProcessExit(told, diedDraining(status) ? crashReport : null);
    }
    if (status == ReplicaProtocol.EXIT_DATA_LOST
        || (!served && status == ReplicaProtocol.EXIT_CANNOT_START)) {
      onNotStarted(nowNs);
      return new ProcessExit(
          refusal == null
              ? told + ": it cannot start with these settings"
              : "replica " + index() + " cannot start: " + refusal,
          null);
    }
    return new ProcessExit(told + afterDeath(nowNs), crashReport);
  }

  /** Reason of the restart that may follow the end of a process. */
  private RestartReason restartReason() {
    if (state == ReplicaState.DRAINING) {
      return comesBack ? RestartReason.REQUESTED : RestartReason.SCALED;
    }
    return killedFor == null ? RestartReason.DIED : RestartReason.SILENT;
  }

  /** Whether it was killed for being late, or ended by a signal from outside. */
  private boolean diedDraining(int status) {
    return killedFor != null || (status > SIGNALLED && !abandoned);
  }

  private CrashReports.CrashReport death(LastExit exit, long nowNs) {
    return new CrashReports.CrashReport(
        index(),
        pid(),
        exit.time(),
        exit.text() + (killedFor == null ? "" : ", killed because it " + killedFor),
        Duration.ofNanos(nowNs - startedNs).toSeconds(),
        generation - 1,
        process == null ? List.of() : process.lastLines());
  }

  private String remedy() {
    if (refusal != null) {
      return "it cannot start: " + refusal;
    }
    return lastExit == null ? "" : ExitAdvice.of(lastExit.status(), killedFor != null);
  }

  private String afterDeath(long nowNs) {
    OptionalLong delay = restarts.onDeath(startedNs, nowNs);
    if (delay.isPresent() && !onTrial(nowNs)) {
      state = state.to(ReplicaState.WAITING);
      deadlineNs = nowNs + delay.getAsLong();
      return "; next start in " + delay.getAsLong() / 1_000_000 + " ms";
    }
    String reason =
        delay.isPresent()
            ? " while on trial: " + remedy()
            : ", the "
                + RestartPolicy.MAX_DEATHS
                + "th time within "
                + patience.restartWindow().toSeconds()
                + " s: "
                + remedy();
    toBroken(nowNs);
    return reason;
  }

  private static String text(int status) {
    return "status "
        + status
        + (status > SIGNALLED ? " (signal " + (status - SIGNALLED) + ")" : "");
  }
}

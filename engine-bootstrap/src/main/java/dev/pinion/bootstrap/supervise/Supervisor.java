package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import dev.pinion.bootstrap.supervise.SupervisionEvents.EventKind;
import dev.pinion.bootstrap.supervise.SupervisorListener.ServingReplica;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owns all replicas: starts them, restarts dead and silent ones, adds and removes them with the
 * load, stops them. One thread, which calls {@link #run}, makes all decisions; processes, signals
 * and queries only queue events for it.
 */
public final class Supervisor {
  /** Time between two checks of deadlines. */
  private static final Duration TICK = Duration.ofMillis(50);

  /** A check this much late means that the supervisor itself was stopped for some time. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final List<SupervisedReplica> replicas = new ArrayList<>();
  private final SupervisorInbox inbox = new SupervisorInbox();
  private final ReplicaStarter starter;
  private final SupervisionEvents events;
  private final CrashReporter crashes;
  private final SupervisorListener listener;
  private final LongSupplier nanoClock;
  private final Supplier<Instant> clock;
  private final ReplicaScaling scaling;
  private final SpareReplicas spareReplicas;
  private final RollingRestarts restarts;
  private final ReplicaNotices notices;
  private long lookedNs;
  private boolean stopping;
  private @Nullable String failure;

  /**
   * A supervisor that has not started anything yet.
   *
   * @param first one for each place in the plan, in their order; the first {@code
   *     patience.scaling().min()} run from the start
   * @param patience how long things may take
   * @param starter starts processes
   * @param events receives an event for everything that happens
   * @param crashes is notified of each death
   * @param listener is notified which replicas serve
   * @param time clocks
   */
  public Supervisor(
      List<ReplicaStart> first,
      SupervisorSettings patience,
      ReplicaStarter starter,
      SupervisionEvents events,
      CrashReporter crashes,
      SupervisorListener listener,
      Clocks time) {
    this.starter = starter;
    this.events = events;
    this.crashes = crashes;
    this.listener = listener;
    this.nanoClock = time.nanos();
    this.clock = time.clock();
    this.lookedNs = nanoClock.getAsLong();
    for (ReplicaStart each : first) {
      boolean wanted = replicas.size() < patience.scaling().min();
      replicas.add(new SupervisedReplica(each, patience, wanted, lookedNs));
    }
    this.scaling = new ReplicaScaling(replicas, patience.scaling(), lookedNs);
    this.spareReplicas = new SpareReplicas(replicas, patience.scaling().min());
    this.restarts = new RollingRestarts(replicas, events);
    this.notices = new ReplicaNotices(replicas, listener, lookedNs);
  }

  /**
   * The clocks of a supervisor.
   *
   * @param nanos monotonic clock in nanoseconds, for durations
   * @param clock wall clock, for people
   */
  public record Clocks(LongSupplier nanos, Supplier<Instant> clock) {}

  /**
   * Runs replicas until all have stopped.
   *
   * @return exit status: 0 after an orderly stop, 1 when no replica could be kept running
   */
  public int run() throws InterruptedException {
    while (!ended()) {
      turn(inbox.poll(TICK));
    }
    if (failure != null) {
      events.record(EventKind.FAILED, SupervisionEvents.ALL, failure);
    }
    return failure == null ? 0 : 1;
  }

  boolean ended() {
    return replicas.stream().allMatch(each -> each.state() == ReplicaState.STOPPED);
  }

  /** One turn for tests that drive the supervisor by hand: all waiting events, then the checks. */
  void turn() {
    for (Runnable event = inbox.poll(); event != null; event = inbox.poll()) {
      turn(event);
    }
    turn(null);
  }

  private void turn(@Nullable Runnable event) {
    long nowNs = nanoClock.getAsLong();
    long pausedNs = nowNs - lookedNs;
    lookedNs = nowNs;
    if (pausedNs > PAUSE.toNanos()) {
      replicas.forEach(each -> each.postpone(pausedNs));
      scaling.forget();
    }
    if (event != null) {
      event.run();
    }
    checkReplicas(nowNs);
    if (!stopping) {
      notices.sendSlots();
    }
    notices.sendPeers();
    notices.sendChecks(nowNs);
    notices.announce();
  }

  /**
   * Requests an orderly stop; a second request stops immediately. For any thread.
   *
   * <p>Replicas refuse starts, finish their work under way, and exit.
   */
  public void stop() {
    inbox.put(this::onStop);
  }

  /**
   * Requests an orderly stop because the terminal was closed. A second request has no effect, since
   * a closing terminal hangs up more than once. For any thread.
   */
  public void hangUp() {
    inbox.put(
        () -> {
          if (!stopping) {
            onStop();
          }
        });
  }

  /**
   * Current status of the replicas. For any thread.
   *
   * @return completed by the supervisor's thread, or with an error when too many events wait for it
   */
  public CompletableFuture<List<ReplicaStatus>> replicas() {
    return inbox.query(
        () -> replicas.stream().map(each -> each.status(nanoClock.getAsLong())).toList());
  }

  /** Restarts of each replica by reason. For any thread. */
  public CompletableFuture<Map<Integer, Map<RestartReason, Integer>>> restartsByReason() {
    return inbox.query(
        () ->
            replicas.stream()
                .collect(
                    Collectors.toMap(
                        SupervisedReplica::index, SupervisedReplica::restartsByReason)));
  }

  /**
   * Restarts replicas, one at a time, each after its work under way has finished. For any thread.
   *
   * @param indexes indexes of the replicas; a broken one is tried again, one that does not run or
   *     is being removed is left out
   * @return the restart, or empty when another one is under way or the engine stops
   */
  public CompletableFuture<Optional<RollingRestartStatus>> restart(Set<Integer> indexes) {
    return inbox.query(() -> stopping ? Optional.empty() : restarts.begin(indexes, clock.get()));
  }

  /** The latest restart, or empty if there was none. For any thread. */
  public CompletableFuture<Optional<RollingRestartStatus>> latestRestart() {
    return inbox.query(restarts::latest);
  }

  /**
   * Fixes the number of running replicas. For any thread.
   *
   * @param count the number; empty to let the load decide
   * @return whether it was accepted; false if the engine stops, or the number is out of bounds
   */
  public CompletableFuture<Boolean> fix(OptionalInt count) {
    return inbox.query(() -> onFix(count));
  }

  /**
   * Orders a profile from a replica. For any thread.
   *
   * @return whether it serves, and so received the order
   */
  public CompletableFuture<Boolean> profile(int index, ProfileRequest order) {
    return inbox.query(() -> notices.sendTo(index, order.line()));
  }

  private boolean onFix(OptionalInt count) {
    if (stopping || !scaling.fix(count)) {
      return false;
    }
    events.record(
        EventKind.SCALED,
        SupervisionEvents.ALL,
        count.isPresent()
            ? "an operator wants replicas to be " + count.getAsInt()
            : "an operator lets the load decide how many replicas run");
    return true;
  }

  /** Bounds of the number of replicas. For any thread. */
  public ScalingSettings bounds() {
    return scaling.bounds();
  }

  /**
   * Stops everything because the engine cannot run as requested; {@link #run} then returns 1. For
   * any thread.
   *
   * @param reason the expectation and the finding
   */
  public void fail(String reason) {
    inbox.put(() -> stopWithFailure(reason));
  }

  /**
   * Kills all processes because the data folder is another one or missing: a process that continues
   * might write into the wrong folder. {@link #run} then returns 1. For any thread.
   *
   * @param reason the expectation and the finding
   */
  public void dataLost(String reason) {
    inbox.put(() -> onDataLost(reason));
  }

  private void onDataLost(String reason) {
    failure = reason;
    if (!stopping) {
      stopAll();
    }
    replicas.forEach(SupervisedReplica::kill);
  }

  private void stopWithFailure(String reason) {
    if (!stopping) {
      failure = reason;
      stopAll();
    }
  }

  private void onStop() {
    if (stopping) {
      events.record(
          EventKind.ABANDONED, SupervisionEvents.ALL, "asked to stop again: replicas are killed");
      replicas.forEach(SupervisedReplica::kill);
      return;
    }
    events.record(
        EventKind.STOPPING, SupervisionEvents.ALL, "asked to stop: replicas finish work under way");
    stopAll();
  }

  private void stopAll() {
    stopping = true;
    drain(replicas, false);
  }

  /** Notifies all that some replicas no longer serve, then asks these to finish. */
  private void drain(List<SupervisedReplica> some, boolean again) {
    long nowNs = nanoClock.getAsLong();
    List<SupervisedReplica> running =
        some.stream().filter(each -> each.drain(again, nowNs)).toList();
    notices.sendPeers();
    for (SupervisedReplica each : running) {
      events.record(EventKind.DRAINING, each.index(), each.name() + " finishes its work under way");
      each.send(ReplicaProtocol.DRAIN);
    }
  }

  /**
   * Adds checks of others to those of replicas. Call before {@link #run}.
   *
   * @param others called about once a second; must return immediately
   */
  public void addChecks(Supplier<List<HealthCheck>> others) {
    notices.addChecks(others);
  }

  /** Health of replicas and of added checks, check by check. For any thread. */
  public CompletableFuture<List<HealthCheck>> checks() {
    return inbox.query(() -> notices.checks(nanoClock.getAsLong()));
  }

  private void checkReplicas(long nowNs) {
    for (SupervisedReplica replica : replicas) {
      String late = replica.killIfLate(nowNs);
      if (late != null) {
        events.record(
            EventKind.KILLED, replica.index(), replica.name() + " " + late + " and is killed");
      }
      if (!stopping && replica.mustStart(nowNs)) {
        start(replica, nowNs);
      }
    }
    if (!stopping) {
      restarts.step(each -> drain(List.of(each), true));
      if (!restarts.running()) { // it would take a removed one for one that did not come back
        standIn(nowNs);
        scaling.next(nowNs).ifPresent(change -> scale(change, nowNs));
      }
    }
  }

  /** Starts spares for broken replicas, and removes them again. */
  private void standIn(long nowNs) {
    for (SpareReplicas.Replacement done : spareReplicas.done(nowNs)) {
      remove(done.spare(), done.broken().name() + " serves again");
    }
    spareReplicas
        .next()
        .ifPresent(
            replacement ->
                add(replacement.spare(), replacement.broken().name() + " is broken", nowNs));
  }

  private void scale(ReplicaScaling.Change change, long nowNs) {
    if (change.added()) {
      add(change.replica(), change.reason(), nowNs);
    } else {
      remove(change.replica(), change.reason());
    }
  }

  private void add(SupervisedReplica replica, String reason, long nowNs) {
    events.record(EventKind.SCALED, replica.index(), replica.name() + " is added: " + reason);
    replica.startSoon(nowNs);
  }

  private void remove(SupervisedReplica replica, String reason) {
    events.record(EventKind.SCALED, replica.index(), replica.name() + " is removed: " + reason);
    drain(List.of(replica), false);
  }

  private void start(SupervisedReplica replica, long nowNs) {
    int generation = replica.nextGeneration();
    ReplicaStarter.Child process;
    try {
      process =
          starter.start(
              replica.start().withAssignment(notices.slots()),
              ReplicaStarter.ProcessListener.of(
                  line -> inbox.put(() -> onLine(replica, generation, line)),
                  status -> inbox.put(() -> onExit(replica, generation, status))));
    } catch (IOException | RuntimeException e) {
      replica.onNotStarted(nowNs);
      onBroken(replica, "cannot start " + replica.name() + ": " + e.getMessage());
      return;
    }
    replica.onStarted(process, nowNs);
    events.record(EventKind.STARTED, replica.index(), replica.name() + " is started");
  }

  private void onLine(SupervisedReplica replica, int generation, String line) {
    if (generation != replica.generation()) {
      return;
    }
    long nowNs = nanoClock.getAsLong();
    if (replica.understands(line, nowNs)) {
      return;
    }
    if (line.startsWith(ReplicaProtocol.READY + " ")) {
      replica.onJoins();
      int port = Integer.parseInt(line.substring(ReplicaProtocol.READY.length() + 1));
      replica.onReady(port, nowNs);
      notices.onReady();
      events.record(EventKind.SERVING, replica.index(), replica.name() + " serves port " + port);
      listener.onServing(new ServingReplica(replica.index(), port, replica.pid()));
    } else {
      events.record(EventKind.SAID, replica.index(), replica.name() + " says: " + line);
    }
  }

  private void onExit(SupervisedReplica replica, int generation, int status) {
    if (generation != replica.generation()) {
      return;
    }
    ProcessExit processExit = replica.onExit(status, clock.get(), nanoClock.getAsLong());
    if (processExit.death() != null) {
      crashes.report(processExit.death());
    }
    if (stopping) {
      replica.drain(false, nanoClock.getAsLong());
    }
    if (replica.state() != ReplicaState.BROKEN) {
      events.record(
          processExit.death() == null ? EventKind.STOPPED : EventKind.DIED,
          replica.index(),
          processExit.text());
    } else if (status == ReplicaProtocol.EXIT_DATA_LOST) {
      onDataLost(processExit.text());
    } else {
      onBroken(replica, processExit.text());
    }
  }

  /**
   * A broken replica is tried again later, and a spare may replace it. When every place is broken,
   * it is tried earlier, for ever; but the engine ends when none has ever served and each has
   * reported why it cannot start.
   */
  private void onBroken(SupervisedReplica replica, String reason) {
    boolean othersLeft = replicas.stream().anyMatch(each -> each.state() != ReplicaState.BROKEN);
    if (!othersLeft && !stopping && replicas.stream().allMatch(SupervisedReplica::isHopeless)) {
      stopWithFailure(reason + ": giving up");
      return;
    }
    Duration delay = othersLeft ? RestartPolicy.RETRY : replica.retryAlone(nanoClock.getAsLong());
    replica.trouble(reason);
    events.record(
        EventKind.BROKEN, replica.index(), reason + ": next try in " + delay.toSeconds() + " s");
  }
}

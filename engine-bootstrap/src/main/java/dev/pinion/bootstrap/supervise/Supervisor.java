package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.Beat;
import dev.pinion.bootstrap.process.ReplicaProcess;
import dev.pinion.bootstrap.process.ReplicaProtocol;
import dev.pinion.bootstrap.process.ReplicaSettings;
import dev.pinion.bootstrap.process.ReplicaStarter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Owns all replicas: starts them, restarts those that die or fall silent, stops them. One thread,
 * which calls {@link #run}, decides everything; processes and signals only leave events for it.
 */
public final class Supervisor {
  /** Events that may wait; a process that says more waits with its next line. */
  private static final int MAX_EVENTS = 1_024;

  /** Time between two looks at deadlines. */
  private static final Duration TICK = Duration.ofMillis(50);

  /** A look this much late means that the supervisor itself was stopped for a while. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final List<SupervisedReplica> replicas = new ArrayList<>();
  private final BlockingQueue<Runnable> events = new ArrayBlockingQueue<>(MAX_EVENTS);
  private final ReplicaStarter starter;
  private final EventLog log;
  private final Consumer<List<Running>> onAllReady;
  private final LongSupplier nanoClock;
  private boolean announced;
  private boolean stopping;
  private @Nullable String failure;

  /**
   * A supervisor that has started nothing yet.
   *
   * @param settings one replica each
   * @param patience how long things may take
   * @param starter starts processes
   * @param log where events are told
   * @param onAllReady told once, when every replica serves for the first time
   * @param nanoClock a monotonic clock
   */
  public Supervisor(
      List<ReplicaSettings> settings,
      SupervisorSettings patience,
      ReplicaStarter starter,
      EventLog log,
      Consumer<List<Running>> onAllReady,
      LongSupplier nanoClock) {
    this.starter = starter;
    this.log = log;
    this.onAllReady = onAllReady;
    this.nanoClock = nanoClock;
    long now = nanoClock.getAsLong();
    settings.forEach(each -> replicas.add(new SupervisedReplica(each, patience, log, now)));
  }

  /**
   * A replica that serves.
   *
   * @param index its place in the plan
   * @param port the port it listens on
   * @param pid its process
   */
  public record Running(int index, int port, long pid) {}

  /**
   * Runs replicas until all have stopped.
   *
   * @return exit status: 0 after an orderly stop, 1 when a replica could not be kept running
   */
  public int run() throws InterruptedException {
    long lookedNs = nanoClock.getAsLong();
    while (!replicas.stream().allMatch(each -> each.state() == ReplicaState.STOPPED)) {
      Runnable event = events.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
      long nowNs = nanoClock.getAsLong();
      long pausedNs = nowNs - lookedNs;
      lookedNs = nowNs;
      if (pausedNs > PAUSE.toNanos()) {
        replicas.forEach(each -> each.postpone(pausedNs));
      }
      if (event != null) {
        event.run();
      }
      look(nowNs);
    }
    if (failure != null) {
      log.error(failure);
    }
    return failure == null ? 0 : 1;
  }

  /**
   * Asks for an orderly stop; asked again, stops at once. Any thread.
   *
   * <p>Replicas refuse starts, finish what is under way, and exit.
   */
  public void stop() {
    leave(this::onStop);
  }

  private void onStop() {
    if (stopping) {
      log.warn("asked to stop again: replicas are killed");
      replicas.forEach(SupervisedReplica::kill);
      return;
    }
    log.info("asked to stop: replicas finish what is under way");
    drainAll();
  }

  private void drainAll() {
    stopping = true;
    long nowNs = nanoClock.getAsLong();
    replicas.forEach(each -> each.drain(nowNs));
  }

  private void look(long nowNs) {
    for (SupervisedReplica replica : replicas) {
      replica.killIfLate(nowNs);
      if (replica.mustStart(nowNs)) {
        start(replica, nowNs);
      }
    }
  }

  private void start(SupervisedReplica replica, long nowNs) {
    int generation = replica.nextGeneration();
    try {
      ReplicaProcess process =
          starter.start(
              replica.settings(),
              ReplicaStarter.Listener.of(
                  line -> leave(() -> onLine(replica, generation, line)),
                  status -> leave(() -> onExit(replica, generation, status))));
      replica.onStarted(process, nowNs);
    } catch (IOException e) {
      giveUp("cannot start " + replica.name() + ": " + e.getMessage());
      replica.drain(nowNs);
    }
  }

  private void onLine(SupervisedReplica replica, int generation, String line) {
    if (generation != replica.generation()) {
      return;
    }
    long nowNs = nanoClock.getAsLong();
    if (Beat.parse(line) != null) {
      replica.onBeat(nowNs);
    } else if (line.startsWith(ReplicaProtocol.READY + " ")) {
      int port = Integer.parseInt(line.substring(ReplicaProtocol.READY.length() + 1));
      replica.onReady(port, nowNs);
      log.info(replica.name() + " serves port " + port);
      announce();
    } else {
      log.info(replica.name() + " says: " + line);
    }
  }

  private void announce() {
    if (!announced && replicas.stream().allMatch(each -> each.state() == ReplicaState.READY)) {
      announced = true;
      onAllReady.accept(
          replicas.stream()
              .map(each -> new Running(each.settings().index(), each.settings().port(), each.pid()))
              .toList());
    }
  }

  private void onExit(SupervisedReplica replica, int generation, int status) {
    if (generation != replica.generation()) {
      return;
    }
    String reason = replica.onExit(status, nanoClock.getAsLong());
    if (reason != null) {
      giveUp(reason);
    } else if (stopping) {
      replica.drain(nanoClock.getAsLong());
    }
  }

  private void giveUp(String reason) {
    failure = reason;
    if (!stopping) {
      drainAll();
    }
  }

  private void leave(Runnable event) {
    try {
      events.put(event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

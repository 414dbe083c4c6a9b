package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.ReplicaStarter;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.protocol.ReplicaStart;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/** A supervisor with fake processes, and a clock set by hand. */
public final class FakeReplicas implements ReplicaStarter, SupervisorListener {
  /** Time in which five deaths are a crash loop. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  private static final Duration STEP = Duration.ofMillis(100);

  final List<Child> started = new ArrayList<>();
  final List<Set<Integer>> serving = new ArrayList<>();
  final List<List<ServingReplica>> ready = new ArrayList<>();
  final Supervisor supervisor;
  final SupervisionEvents events;
  final CrashReporter reporter;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final SupervisorLog log =
      new SupervisorLog(new PrintStream(logged, true, StandardCharsets.UTF_8), false, this::now);
  private long nowNs = 1_000;

  /** Time allowance of a start besides a minute. */
  CompletableFuture<Duration> recoveryTime = CompletableFuture.completedFuture(Duration.ZERO);

  /** Places without a serving replica. */
  public FakeReplicas(int slots, ScalingSettings scaling, Path crashes) {
    this(slots, scaling, new CrashReports(crashes)::write, Runnable::run);
  }

  /** A place whose replica is starting, and may warm up for some time. */
  static FakeReplicas warmingUp(Duration warmUp, Path crashes) {
    FakeReplicas replicas =
        new FakeReplicas(
            1,
            ScalingSettings.between(1, 1),
            warmUp,
            new CrashReports(crashes)::write,
            Runnable::run);
    replicas.supervisor.turn();
    return replicas;
  }

  /** The same with another store of reports. */
  FakeReplicas(int slots, ScalingSettings scaling, CrashReporter.Store reports, Executor writer) {
    this(slots, scaling, Duration.ZERO, reports, writer);
  }

  private FakeReplicas(
      int slots,
      ScalingSettings scaling,
      Duration warmUp,
      CrashReporter.Store reports,
      Executor writer) {
    events = new SupervisionEvents(log, this::now);
    reporter = new CrashReporter(reports, events, writer);
    supervisor =
        new Supervisor(
            IntStream.range(0, slots).mapToObj(i -> first(i, slots)).toList(),
            SupervisorSettings.of(
                warmUp, () -> recoveryTime, Duration.ofSeconds(25), WINDOW, scaling),
            this,
            events,
            reporter,
            this,
            new Supervisor.Clocks(() -> nowNs, this::now));
  }

  /** A serving replica in each place. */
  public static FakeReplicas serving(int slots, Path crashes) {
    FakeReplicas replicas = new FakeReplicas(slots, ScalingSettings.between(slots, slots), crashes);
    replicas.supervisor.turn();
    for (int i = 0; i < slots; i++) {
      replicas.last(i).ready();
    }
    return replicas;
  }

  /** The supervisor under test. */
  public Supervisor supervisor() {
    return supervisor;
  }

  /** Events of the supervisor. */
  public SupervisionEvents events() {
    return events;
  }

  private Instant now() {
    return Instant.EPOCH.plusNanos(nowNs);
  }

  static ReplicaStart first(int index, int slots) {
    return ReplicaStart.first(index, slots == 1 ? DispatchMode.DIRECT : DispatchMode.HANDOVER, 0);
  }

  @Override
  public Child start(ReplicaStart start, ProcessListener processListener) {
    Child child = new Child(start, processListener, 100 + started.size());
    started.add(child);
    return child;
  }

  @Override
  public void onReady(List<ServingReplica> replicas) {
    ready.add(replicas);
  }

  @Override
  public void onServing(ServingReplica replica) {
    // subject of other tests
  }

  @Override
  public void onServingChanged(Set<Integer> replicas) {
    serving.add(replicas);
  }

  /** The latest process of a replica. */
  Child last(int index) {
    return started.stream()
        .filter(each -> each.start.index() == index)
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  /** Lines sent to the latest process of a replica. */
  public List<String> heard(int index) {
    return List.copyOf(last(index).heard);
  }

  /** A line from the latest process of a replica. */
  public void says(int index, String line) {
    last(index).says(line);
  }

  long starts(int index) {
    return started.stream().filter(each -> each.start.index() == index).count();
  }

  ReplicaStatus picture(int index) {
    var asked = supervisor.replicas();
    supervisor.turn();
    return asked.join().get(index);
  }

  /** Requests a restart. */
  Optional<RollingRestartStatus> restart(Integer... indexes) {
    var asked = supervisor.restart(Set.of(indexes));
    supervisor.turn();
    return asked.join();
  }

  /** Fixes the number of replicas; returns whether it was accepted. */
  boolean fix(int count) {
    return fix(OptionalInt.of(count));
  }

  /** Lets the load decide again. */
  boolean unfix() {
    return fix(OptionalInt.empty());
  }

  private boolean fix(OptionalInt count) {
    var asked = supervisor.fix(count);
    supervisor.turn();
    return asked.join();
  }

  HealthCheck check(String name) {
    var asked = supervisor.checks();
    supervisor.turn();
    return asked.join().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  ReplicaState state(int index) {
    return picture(index).state();
  }

  /** Advances time in small steps, in which every serving process sends heartbeats. */
  void pass(Duration time) {
    pass(time, 0);
  }

  /** The same with a queueing delay in the heartbeats. */
  void pass(Duration time, long delayMicros) {
    long end = nowNs + time.toNanos();
    while (nowNs < end) {
      nowNs += Math.min(STEP.toNanos(), end - nowNs);
      started.stream().filter(each -> each.beating).forEach(each -> each.beat(delayMicros));
      supervisor.turn();
    }
  }

  /** Lets the supervisor itself stand still. */
  void standStill(Duration time) {
    nowNs += time.toNanos();
    supervisor.turn();
  }

  String log() {
    return logged.toString(StandardCharsets.UTF_8);
  }

  /** A process. */
  final class Child implements ReplicaStarter.Child {
    final List<String> heard = new ArrayList<>();
    final List<String> checks = new ArrayList<>();
    private final ReplicaStart start;
    private final ProcessListener processListener;
    private final long pid;
    private boolean beating;

    Child(ReplicaStart start, ProcessListener processListener, long pid) {
      this.start = start;
      this.processListener = processListener;
      this.pid = pid;
    }

    /** Assignment of slots in its settings at the start. */
    String assignment() {
      return start.assignment();
    }

    void ready() {
      beating = true;
      processListener.onLine(ReplicaProtocol.READY + " " + (8_000 + start.index()));
      supervisor.turn();
    }

    void beat(long delayMicros) {
      processListener.onLine(new Heartbeat(delayMicros, 1, 2, 0, false, "").line());
    }

    void silence() {
      beating = false;
    }

    void says(String line) {
      processListener.onLine(line);
    }

    void exit(int status) {
      beating = false;
      processListener.onExit(status);
      supervisor.turn();
    }

    @Override
    public void send(String line) {
      (line.startsWith(ReplicaProtocol.CHECK) ? checks : heard).add(line);
    }

    @Override
    public void kill() {
      beating = false;
      processListener.onExit(137);
    }

    @Override
    public long pid() {
      return pid;
    }

    @Override
    public List<String> lastLines() {
      return List.of("last words of " + pid);
    }
  }
}

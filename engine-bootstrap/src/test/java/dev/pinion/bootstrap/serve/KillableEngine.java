package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.FaultTally.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** An engine with two replicas that are killed, alone or with their parent, and restart. */
final class KillableEngine implements Supplier<ServedEngine>, AutoCloseable {
  static final int REPLICAS = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration OFTEN = Duration.ofMillis(10);

  private final Path data;
  private final List<String> options;
  private final Set<Long> killed = new HashSet<>();
  private volatile ServedEngine engine;

  /** Process to which a signal is sent. */
  enum Victim {
    FIRST,
    SECOND,
    BOTH,
    PARENT;

    private Set<Integer> slots() {
      return switch (this) {
        case FIRST -> Set.of(0);
        case SECOND -> Set.of(1);
        case BOTH, PARENT -> Set.of(0, 1);
      };
    }
  }

  /**
   * Starts an engine.
   *
   * @param options options of {@code serve}, besides those required for frequent kills
   */
  KillableEngine(Path data, String... options) throws IOException {
    this.data = data;
    this.options = List.of(options);
    this.engine = start();
  }

  private ServedEngine start() throws IOException {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--replicas", Integer.toString(REPLICAS), "--restart-window", "1"));
    return ServedEngine.start(data, all.toArray(String[]::new));
  }

  /** The engine that serves now, or did until it was killed. */
  @Override
  public ServedEngine get() {
    return engine;
  }

  /** Waits until a number of replicas serve. */
  void awaitReady(int replicas) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        .atMost(PATIENCE)
        .until(() -> ready(engine.replicaStates()).size() >= replicas);
  }

  private Set<Integer> ready(JsonNode states) {
    Set<Integer> ready = new HashSet<>();
    for (int slot = 0; slot < states.size(); slot++) {
      JsonNode state = states.path(slot);
      if (state.path("state").asText().equals("READY") && !killed.contains(pid(state))) {
        ready.add(slot);
      }
    }
    return ready;
  }

  private static long pid(JsonNode state) {
    return state.path("pid").asLong();
  }

  /**
   * Kills replicas, which are restarted by the parent, or the parent, which is restarted here.
   *
   * @param before last action before the signal
   */
  Fault kill(Victim victim, Runnable before) throws IOException {
    if (victim == Victim.PARENT) {
      return killParent(ready(engine.replicaStates()), before);
    }
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        .atMost(PATIENCE)
        .until(() -> !processes(victim.slots()).isEmpty());
    List<ProcessHandle> processes = processes(victim.slots());
    Set<Integer> serving = ready(engine.replicaStates()); // one that recovers has nothing to lose
    serving.retainAll(victim.slots());
    before.run();
    long beganNanos = System.nanoTime();
    processes.forEach(ProcessHandle::destroyForcibly);
    Fault fault = new Fault(beganNanos, System.nanoTime(), serving, REPLICAS);
    processes.forEach(process -> killed.add(process.pid()));
    return fault;
  }

  /** The processes of replicas that were not killed. */
  private List<ProcessHandle> processes(Set<Integer> slots) throws IOException {
    JsonNode states = engine.replicaStates();
    return slots.stream()
        .map(slot -> pid(states.path(slot)))
        .filter(pid -> pid > 0 && !killed.contains(pid))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  private Fault killParent(Set<Integer> slots, Runnable before) throws IOException {
    List<ProcessHandle> replicas = engine.replicas();
    before.run();
    long beganNanos = System.nanoTime();
    engine.parent().destroyForcibly();
    engine.parent().onExit().join();
    // they see the end of their input
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        .atMost(PATIENCE)
        .until(() -> replicas.stream().noneMatch(ProcessHandle::isAlive));
    Fault fault = new Fault(beganNanos, System.nanoTime(), slots, REPLICAS);
    engine = start();
    return fault;
  }

  @Override
  public void close() {
    engine.close();
  }
}

package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import dev.pinion.bootstrap.topology.MachineProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas that are added and removed while instances sleep in them: the instances continue in
 * other replicas.
 *
 * <pre>
 *   one replica ──PUT ?count=3──▶ three ──PUT ?count=1──▶ one      ✗ killed at any time
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
class MovingReplicasTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Rounds of the long run, each from one replica to three and back. */
  private static final int ROUNDS = Integer.getInteger("pinion.rounds", 8);

  /** Instances asleep at once in the long run. */
  private static final int MANY = Integer.getInteger("pinion.sleepers", 10_000);

  /** Duration of their sleep: longer than starting them and restarting engines. */
  private static final long LONG_SLEEP_MILLIS = 120_000;

  private static final long SLEEP_MILLIS = 1_500;
  private static final int CLIENTS = 8;

  /** Most replicas: on small machines they share CPUs. */
  private static final int MOST = 3;

  private static final String ELASTIC = "1.." + lists(MOST);

  @TempDir private Path data;

  private final AtomicReference<ServedEngine> engine = new AtomicReference<>();

  @Test
  void shouldLoseNothingWhileReplicasComeAndGo() throws Exception {
    comeAndGo(1, 2);
  }

  @Test
  @Tag("long")
  void shouldLoseNothingHoweverOftenReplicasComeAndGo() throws Exception {
    comeAndGo(ROUNDS, MOST);
  }

  private void comeAndGo(int rounds, int most) throws Exception {
    Random random = random();
    engine.set(start(ELASTIC));
    try (AcknowledgedStarts starts = new AcknowledgedStarts(engine::get, load(SLEEP_MILLIS))) {
      starts.begin();
      for (int round = 0; round < rounds; round++) {
        starts.awaitLive(50);
        round(random, starts, most);
      }
      starts.check();
    } finally {
      engine.get().close();
    }
  }

  /** From one replica to several and back, with a kill in each direction. */
  private void round(Random random, AcknowledgedStarts starts, int most) throws IOException {
    fix(most);
    starts.awaitLive(random.nextInt(100));
    kill(random);
    awaitServing(most);
    starts.awaitLive(50);
    fix(1);
    starts.awaitLive(random.nextInt(100));
    kill(random);
    awaitServing(1);
  }

  @Test
  @Tag("long")
  void shouldFinishTenThousandThatSleepWhateverTheNumberOfReplicas() throws Exception {
    Random random = random();
    engine.set(start(lists(2)));
    try (AcknowledgedStarts starts = new AcknowledgedStarts(engine::get, load(LONG_SLEEP_MILLIS))) {
      starts.begin();
      starts.awaitLive(MANY);
      starts.endLoad();
      for (String replicas : List.of("1", lists(MOST), lists(2), ELASTIC)) {
        restart(replicas);
      }
      for (int count : new int[] {MOST, 1, MOST, 1}) {
        fix(count);
        awaitLooks(random.nextInt(300)); // each takes some milliseconds
        kill(random);
        awaitServing(count);
      }
      starts.check();
    } finally {
      engine.get().close();
    }
  }

  /** The CPUs of this process, dealt in turn to a number of replicas. */
  private static String lists(int replicas) {
    List<Integer> cpus = MachineProbe.probe().allowed().stream().boxed().toList();
    return IntStream.range(0, replicas)
        .mapToObj(i -> cpus.get(i % cpus.size()).toString())
        .collect(Collectors.joining("/"));
  }

  private static AcknowledgedStarts.Load load(long sleepMillis) {
    return new AcknowledgedStarts.Load(CLIENTS, Integer.MAX_VALUE, 0, sleepMillis);
  }

  /** Waits for the duration of a number of requests to the parent. */
  private void awaitLooks(int looks) throws IOException {
    for (int i = 0; i < looks; i++) {
      assertEquals(200, ServedEngine.ask("GET", admin("/livez"), null).status());
    }
  }

  private static Random random() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  private ServedEngine start(String replicas) throws IOException {
    return ServedEngine.start(
        data,
        "--replicas",
        replicas,
        "--heap",
        "768m",
        "--restart-window",
        "1",
        "--set",
        "kernel.maxEnded=1000000,kernel.maxHeldBytes=33554432,kernel.maxEndedBytes=45000000,journal.snapshotLogBytes=200000,"
            + "journal.closeLogBytes=10000");
  }

  private void restart(String replicas) throws Exception {
    engine.get().close();
    engine.set(start(replicas));
  }

  private void fix(int count) throws IOException {
    Answer answer = ServedEngine.ask("PUT", admin("/admin/v1/replicas?count=" + count), null);
    assertEquals(202, answer.status(), answer.body());
  }

  private URI admin(String path) {
    return engine.get().admin().resolve(path);
  }

  private void awaitServing(int count) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              Answer ready = ServedEngine.ask("GET", admin("/readyz"), null);
              return ready.json().path("serving").asInt() == count
                  && ready.json().path("replicas").asInt() == count;
            });
  }

  private void kill(Random random) {
    List<ProcessHandle> replicas = engine.get().replicas();
    if (!replicas.isEmpty()) {
      ProcessHandle chosen = replicas.get(random.nextInt(replicas.size()));
      chosen.destroyForcibly();
      chosen.onExit().join();
    }
  }
}

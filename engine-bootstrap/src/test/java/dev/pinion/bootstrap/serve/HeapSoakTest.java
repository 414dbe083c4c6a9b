package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field fault 1: the smallest heap on a machine of 1 GB, clients that ignore 503, and kills.
 * Nothing acknowledged is lost, and the only deaths are the kills.
 *
 * <p>{@code -Dpinion.soak.seconds} (240) sets the duration, {@code -Dpinion.soak.kills} (4) the
 * number of kills, {@code -Dpinion.seed} the sizes. The kills come in the first two thirds. Then no
 * process ends, so that growth is a leak: the peak resident memory of a process in the last sixth
 * of the time is compared with the peak in the sixth before.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class HeapSoakTest {
  private static final int CLIENTS = 3;
  private static final int LEAST_BYTES = 1 << 10;
  private static final int MOST_BYTES = (4 << 20) - 200;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration LEAST_LIFE = Duration.ofSeconds(5);
  private static final int READS_FOR_A_LIST = 20;
  private static final int READ_TWICE = 1_000;
  private static final double FLAT = 1.1;

  /** Those that echo have large results. */
  private static final List<String> DEFINITIONS = List.of("waits", "ends", "waits", "echoes");

  private static final String SMALL_OBJECT = "{\"a\":1}";

  @TempDir private Path data;

  private final long seed = Long.getLong("pinion.seed", 1);
  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger read = new AtomicInteger();
  private final DelayQueue<Unread> unread = new DelayQueue<>();

  /** A sample of all read results, each equally likely. */
  private final List<Started> sample = new ArrayList<>();

  private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();

  private record Started(String path, int number, int items) {}

  /** A result that is read no earlier than its time. */
  private record Unread(Started started, long nanos) implements Delayed {
    static Unread after(Duration delay, Started started) {
      return new Unread(started, System.nanoTime() + delay.toNanos());
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  @Test
  void shouldStayWithinItsHeapAndLoseNothing() throws Exception {
    int seconds = Integer.getInteger("pinion.soak.seconds", 240);
    int kills = Integer.getInteger("pinion.soak.kills", 4);
    System.out.printf("seed %d, %d s, %d kills%n", seed, seconds, kills);
    try (ServedEngine engine =
            ServedEngine.start(
                data,
                "--heap",
                "256m",
                "--replicas",
                "1",
                "--restart-window",
                "1",
                "--durability",
                "sync",
                "--history",
                "sqlite");
        ResidentMemory memory = new ResidentMemory(engine.parent().toHandle());
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      deploy(engine, "waits", "{wait: {seconds: 5}}", "{n: .n, items: (.x | length)}");
      deploy(engine, "ends", "{set: '${ . }'}", "{n: .n, items: (.x | length)}");
      deploy(engine, "echoes", "{set: '${ . }'}", "{n: .n, items: (.x | length), x: .x}");
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(seed + i);
        clients.add(threads.submit(() -> start(engine.uri(), random)));
      }
      Future<?> reader = threads.submit(() -> readAll(engine.uri()));
      Duration sixth = Duration.ofSeconds(seconds).dividedBy(6);
      Set<Long> killed = killNowAndThen(engine, sixth.multipliedBy(4), kills);
      memory.most(); // of the time of the kills
      goOn(sixth);
      Map<Long, Long> before = memory.most();
      goOn(sixth);
      Map<Long, Long> after = memory.most();
      enough.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
      System.out.printf("%d results read, %d not yet%n", read.get(), unread.size());
      finish(reader);
      System.out.printf("%d results read, %d starts refused%n", read.get(), refused.get());
      System.out.printf("KiB resident, by process: %s, later %s%n", before, after);
      sample.forEach(started -> readAgain(engine.uri(), started));
      assertNull(wrong.get());
      assertEquals(before.keySet(), after.keySet(), "the processes since the last kill");
      after.forEach((pid, most) -> assertTrue(most <= FLAT * before.getOrDefault(pid, 0L), "flat"));
      assertTrue(read.get() > 0, "results");
      assertEquals(kills, killed.size());
      assertEquals(kills, state(engine).path("restarts").asInt(), "restarts but for the kills");
    }
  }

  private static void deploy(ServedEngine engine, String name, String task, String output)
      throws IOException {
    String document =
        """
        document: {dsl: 1.0.3, namespace: soak, name: %s, version: 1.0.0}
        do:
          - t: %s
        output:
          as: '${ %s }'
        """
            .formatted(name, task, output);
    Answer deployed = engine.post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** A client that repeats its request at once, whatever the response. */
  private void start(URI engine, Random random) {
    while (!enough.get() && wrong.get() == null) {
      int number = numbers.incrementAndGet();
      String name = DEFINITIONS.get(random.nextInt(DEFINITIONS.size()));
      double size = LEAST_BYTES * Math.pow(MOST_BYTES / (double) LEAST_BYTES, random.nextDouble());
      boolean objects = random.nextBoolean();
      String item = objects ? SMALL_OBJECT : '"' + "x".repeat(200) + '"';
      int items = Math.max(1, (int) (size / (item.length() + 1)));
      String list = (item + ',').repeat(items - 1) + item;
      String body = "{\"input\":{\"n\":" + number + ",\"x\":[" + list + "]}}";
      try {
        Answer answer =
            ServedEngine.ask(
                "POST",
                engine.resolve("/v1/namespaces/soak/definitions/" + name + "/instances"),
                body,
                "Content-Type",
                "application/json",
                "Prefer",
                "respond-async");
        heard(answer, new Started(answer.fields().getOrDefault("location", ""), number, items));
      } catch (IOException e) {
        refused.incrementAndGet(); // killed meanwhile: not acknowledged
      }
    }
  }

  private void heard(Answer answer, Started started) {
    switch (answer.status()) {
      case 202 -> unread.add(Unread.after(Duration.ZERO, started));
      case 413, 503 -> refused.incrementAndGet();
      default -> wrong.set("a start was answered " + answer.status() + ": " + answer.body());
    }
  }

  private @Nullable Void readAll(URI engine) throws InterruptedException {
    Random random = new Random(seed);
    while (wrong.get() == null && !(enough.get() && unread.isEmpty())) {
      Unread next = unread.poll(1, TimeUnit.SECONDS);
      if (random.nextInt(READS_FOR_A_LIST) == 0) {
        list(engine);
      }
      if (next != null && !isRead(engine, next.started())) {
        unread.add(Unread.after(AGAIN, next.started()));
      } else if (next != null) {
        remember(next.started(), random);
      }
    }
    return null;
  }

  /** Waits as long as further results arrive: the history lags after an hour of this load. */
  private void finish(Future<?> reader) throws InterruptedException, ExecutionException {
    int before = -1;
    while (!reader.isDone()) {
      int now = read.get();
      assertTrue(now > before, "no result for " + PATIENCE + ", " + unread.size() + " unread");
      before = now;
      try {
        reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        System.out.printf("%d results read, %d not yet%n", read.get(), unread.size());
      }
    }
    reader.get();
  }

  private void list(URI engine) {
    try {
      Answer answer = ServedEngine.ask("GET", engine.resolve("/v1/instances"), null);
      if (answer.status() != 200 && answer.status() != 503) {
        wrong.set("a list was answered " + answer.status() + ": " + answer.body());
      }
    } catch (IOException e) {
      // killed meanwhile
    }
  }

  private void remember(Started started, Random random) {
    if (sample.size() < READ_TWICE) {
      sample.add(started);
    } else {
      int place = random.nextInt(read.get());
      if (place < READ_TWICE) {
        sample.set(place, started);
      }
    }
  }

  /** The end is certain; whether the history has it by now is not. */
  private void readAgain(URI engine, Started started) {
    await().atMost(PATIENCE).until(() -> isRead(engine, started));
  }

  private boolean isRead(URI engine, Started started) {
    try {
      Answer answer = ServedEngine.ask("GET", engine.resolve(started.path() + "/output"), null);
      switch (answer.status()) {
        case 200 -> {
          JsonNode output = answer.json();
          if (output.path("n").asInt() != started.number()
              || output.path("items").asInt() != started.items()) {
            wrong.set("expected the output of " + started + ", found " + answer.body());
          }
          read.incrementAndGet();
          return true;
        }
        case 202, 503 -> {
          return false;
        }
        default -> wrong.set(started + " was answered " + answer.status() + ": " + answer.body());
      }
    } catch (IOException e) {
      return false; // killed meanwhile
    }
    return true;
  }

  private Set<Long> killNowAndThen(ServedEngine engine, Duration time, int kills) {
    Set<Long> killed = new HashSet<>();
    long begun = System.nanoTime();
    for (int i = 1; i <= kills && wrong.get() == null; i++) {
      long at = begun + time.multipliedBy(i).dividedBy(kills).toNanos();
      goOn(Duration.ofNanos(Math.max(LEAST_LIFE.toNanos(), at - System.nanoTime())));
      long pid = pid(engine);
      killed.add(pid);
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      long killedAt = System.nanoTime();
      await().atMost(PATIENCE).until(() -> isReady(engine) && pid(engine) != pid);
      long millis = Duration.ofNanos(System.nanoTime() - killedAt).toMillis();
      System.out.printf("kill %d: ready again after %.1f s%n", i, millis / 1_000.0);
    }
    return killed;
  }

  private void goOn(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    await()
        .atMost(time.plus(PATIENCE))
        .until(() -> wrong.get() != null || System.nanoTime() >= end);
  }

  private static boolean isReady(ServedEngine engine) {
    return state(engine).path("state").asText().equals("READY");
  }

  private static long pid(ServedEngine engine) {
    return state(engine).path("pid").asLong();
  }

  private static JsonNode state(ServedEngine engine) {
    try {
      return engine.replicaStates().path(0);
    } catch (IOException e) {
      throw new AssertionError("expected the parent to tell of its replicas", e);
    }
  }
}

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
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
 * Field fault 1: the smallest heap that a machine of 1 GB gives, clients that take no notice of
 * 503, and kills. Nothing acknowledged is lost, and the only deaths are the kills.
 *
 * <p>{@code -Dpinion.soak.seconds} (3,600) says how long, {@code -Dpinion.soak.kills} (20) how
 * often, {@code -Dpinion.seed} with which sizes.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class HeapSoakTest {
  private static final int CLIENTS = 3;
  private static final int LEAST_BYTES = 1 << 10;
  private static final int MOST_BYTES = (4 << 20) - 200;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String SMALL_OBJECT = "{\"a\":1}";

  @TempDir private Path data;

  private final long seed = Long.getLong("pinion.seed", 1);
  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger read = new AtomicInteger();
  private final Queue<Started> unread = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();

  private record Started(String path, int number, int items) {}

  @Test
  void shouldStayWithinItsHeapAndLoseNothing() throws Exception {
    int seconds = Integer.getInteger("pinion.soak.seconds", 3_600);
    int kills = Integer.getInteger("pinion.soak.kills", 20);
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
                "sync");
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      deploy(engine, "waits", "{wait: {seconds: 5}}");
      deploy(engine, "ends", "{set: '${ . }'}");
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(seed + i);
        clients.add(threads.submit(() -> start(engine.uri(), random)));
      }
      Future<?> reader = threads.submit(() -> readAll(engine.uri()));
      Set<Long> killed = killNowAndThen(engine, seconds, kills);
      enough.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
      await().atMost(PATIENCE).until(() -> unread.isEmpty() || wrong.get() != null);
      reader.get();
      System.out.printf("%d results read, %d starts refused%n", read.get(), refused.get());
      assertNull(wrong.get());
      assertTrue(read.get() > 0, "results");
      assertEquals(kills, killed.size());
      assertEquals(kills, state(engine).path("restarts").asInt(), "restarts but for the kills");
    }
  }

  private static void deploy(ServedEngine engine, String name, String task) throws IOException {
    String document =
        """
        document: {dsl: 1.0.3, namespace: soak, name: %s, version: 1.0.0}
        do:
          - t: %s
        output:
          as: '${ {n: .n, items: (.x | length)} }'
        """
            .formatted(name, task);
    Answer deployed = engine.post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** A client that asks again at once, whatever the answer. */
  private void start(URI engine, Random random) {
    while (!enough.get() && wrong.get() == null) {
      int number = numbers.incrementAndGet();
      String name = random.nextBoolean() ? "waits" : "ends";
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
      case 202 -> unread.add(started);
      case 413, 503 -> refused.incrementAndGet();
      default -> wrong.set("a start was answered " + answer.status() + ": " + answer.body());
    }
  }

  private void readAll(URI engine) {
    while (wrong.get() == null && !(enough.get() && unread.isEmpty())) {
      Started next = unread.poll();
      if (next != null && !isRead(engine, next)) {
        unread.add(next);
      }
    }
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

  private Set<Long> killNowAndThen(ServedEngine engine, int seconds, int kills) {
    Set<Long> killed = new HashSet<>();
    Duration between = Duration.ofSeconds(seconds).dividedBy(kills + 1L);
    for (int i = 0; i <= kills; i++) {
      long end = System.nanoTime() + between.toNanos();
      await()
          .atMost(between.plus(PATIENCE))
          .until(() -> wrong.get() != null || (System.nanoTime() >= end && isReady(engine)));
      if (i < kills) {
        long pid = pid(engine);
        killed.add(pid);
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE).until(() -> isReady(engine) && pid(engine) != pid);
      }
    }
    return killed;
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

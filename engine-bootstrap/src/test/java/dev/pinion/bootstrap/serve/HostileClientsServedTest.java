package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Field faults 2 and 6: a good client beside hostile ones. Calm and hostile phases alternate, so
 * that other load of the machine affects both; medians over the phases are compared.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class HostileClientsServedTest {
  private static final int PHASES = Integer.getInteger("pinion.hostile.phases", 5);
  private static final Duration PHASE = Duration.ofSeconds(5);
  private static final Duration SETTLING = Duration.ofSeconds(2);

  /** Latency that a busy machine adds at times, independent of the engine. */
  private static final double NOISE_MILLIS = 2;

  /** Longest wait of a client that reconnects in a backlog full of others. */
  private static final double BACKLOG_MILLIS = 5_000;

  private static final int FLOOD = 20_000;
  private static final int PER_PROCESS = 5_000;
  private static final int PIPELINING = 400;
  private static final int AHEAD = 30;
  private static final int OTHER_FILES = 500;
  private static final String STARTS = "/v1/namespaces/test/definitions/sets/instances";

  private @TempDir Path data;

  /**
   * Clients that reconnect in one phase.
   *
   * @param millis times until they were served, sorted
   * @param resets connections that ended without an answer
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Anew(double[] millis, int resets) {}

  /** Latencies of one phase, in ms, sorted. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Latencies(double[] kept, Anew anew) {
    private static double quantile(double[] sorted, double quantile) {
      return sorted[(int) Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1)];
    }

    double p99() {
      return quantile(kept, 0.99);
    }

    double longestAnew() {
      return quantile(anew.millis(), 1);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "kept connection: %d requests, p50 %.2f, p99 %.2f, most %.1f ms; connects anew: %d, %d"
              + " resets, p50 %.1f, most %.1f ms",
          kept.length,
          quantile(kept, 0.5),
          p99(),
          quantile(kept, 1),
          anew.millis().length,
          anew.resets(),
          quantile(anew.millis(), 0.5),
          longestAnew());
    }
  }

  /** Processes of hostile clients. */
  private static final class Hostile implements AutoCloseable {
    private final List<Process> processes = new ArrayList<>();
    private final List<BufferedReader> words = new ArrayList<>();

    Hostile(URI engine, int processes, int connections, int requests) throws IOException {
      for (int i = 0; i < processes; i++) {
        List<String> command =
            List.of(
                "nice",
                "-n",
                "10",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HostileClients.class.getName(),
                "127.0.0." + (2 + i),
                Integer.toString(engine.getPort()),
                Integer.toString(connections),
                Integer.toString(requests));
        Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        this.processes.add(process);
        words.add(process.inputReader(StandardCharsets.US_ASCII));
      }
    }

    /** Turns them on or off, and returns after they have confirmed. */
    void turn(boolean on) throws IOException {
      byte[] word = (on ? "on\n" : "off\n").getBytes(StandardCharsets.US_ASCII);
      for (Process process : processes) {
        process.getOutputStream().write(word);
        process.getOutputStream().flush();
      }
      for (BufferedReader each : words) {
        String line = String.valueOf(each.readLine());
        assertTrue(line.startsWith(on ? "on" : "off"), line);
        if (!on) {
          System.out.println("connections opened by a hostile process so far: " + line);
        }
      }
    }

    @Override
    public void close() {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** With two replicas the parent accepts connections, with one the replica itself. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldServeOthersInAFloodOfConnectionsAtALowLimitOfDescriptors(int replicas)
      throws Exception {
    int limit = OpenFiles.now().limit();
    assumeTrue(
        limit > PER_PROCESS + OTHER_FILES,
        "no flood is made: this machine lets a process have " + limit + " descriptors");
    List<String> limited = List.of("sh", "-c", "ulimit -n 1024 && exec \"$@\"", "sh");
    try (ServedEngine engine =
            ServedEngine.startUnder(limited, data, "--replicas", Integer.toString(replicas));
        Hostile flood = new Hostile(engine.uri(), FLOOD / PER_PROCESS, PER_PROCESS, 0)) {
      for (long pid : pids(engine)) {
        assertTrue(Files.readString(Path.of("/proc/" + pid + "/limits")).contains(" 1024 "));
      }
      compare(engine, flood, new ArrayList<>());
    }
  }

  @Test
  void shouldServeOthersBesideClientsThatDoNotRead() throws Exception {
    try (ServedEngine engine = ServedEngine.start(data, "--replicas", "1");
        Hostile unread = new Hostile(engine.uri(), 1, PIPELINING, AHEAD)) {
      List<Long> resident = new ArrayList<>();
      compare(engine, unread, resident);
      long calm = resident.getFirst();
      long most = resident.stream().mapToLong(Long::longValue).max().orElseThrow();
      System.out.printf("resident: %d MiB before, at most %d MiB%n", calm >> 10, most >> 10);
      assertTrue(most < 2 * calm, "resident memory while answers are not read: " + resident);
    }
  }

  /**
   * Compares phases.
   *
   * @param resident receives the first replica's resident memory in KiB after each phase
   */
  private void compare(ServedEngine engine, Hostile hostile, List<Long> resident) throws Exception {
    deploy(engine);
    List<Long> replicas = pids(engine);
    List<Latencies> calm = new ArrayList<>();
    List<Latencies> beset = new ArrayList<>();
    try (KeptConnection kept = new KeptConnection(engine.uri())) {
      measure(engine, kept); // compiles
      for (int i = 0; i < PHASES; i++) {
        calm.add(measure(engine, kept));
        resident.add(residentKib(replicas.getFirst()));
        hostile.turn(true);
        beset.add(measure(engine, kept));
        resident.add(residentKib(replicas.getFirst()));
        hostile.turn(false);
        settle();
        System.out.printf("calm  %s%nbeset %s%n", calm.getLast(), beset.getLast());
      }
    }
    assertTrue(engine.parent().isAlive());
    assertEquals(replicas, pids(engine), "no replica has ended");
    double before = median(calm, Latencies::p99);
    double during = median(beset, Latencies::p99);
    double longest = median(beset, Latencies::longestAnew);
    assertTrue(longest < BACKLOG_MILLIS, () -> longest + " ms until a new client is served");
    System.out.printf("medians of p99: calm %.2f ms, beset %.2f ms%n", before, during);
    assertTrue(
        during <= 2 * before + NOISE_MILLIS,
        () -> "p99 in ms: " + before + " when calm, " + during + " beside hostile clients");
  }

  /** Measures a client on a kept connection, then one that reconnects, beside hostile ones only. */
  private static Latencies measure(ServedEngine engine, KeptConnection kept) throws IOException {
    long end = System.nanoTime() + PHASE.toNanos();
    List<Double> millis = new ArrayList<>();
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      assertEquals(200, kept.post(STARTS, "{}"));
      millis.add((System.nanoTime() - began) / 1e6);
    }
    return new Latencies(sorted(millis), connectAnew(engine.uri(), end + PHASE.toNanos()));
  }

  /** Times until a reconnecting client is served, including repeats after resets. */
  private static Anew connectAnew(URI engine, long end) {
    List<Double> millis = new ArrayList<>();
    int resets = 0;
    long began = System.nanoTime();
    while (millis.isEmpty() || System.nanoTime() < end) {
      try (KeptConnection once = new KeptConnection(engine)) {
        assertEquals(200, once.post(STARTS, "{}"));
        millis.add((System.nanoTime() - began) / 1e6);
        began = System.nanoTime();
      } catch (IOException e) {
        resets++;
      }
    }
    return new Anew(sorted(millis), resets);
  }

  private static double[] sorted(List<Double> millis) {
    return millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double median(List<Latencies> phases, ToDoubleFunction<Latencies> figure) {
    double[] each = phases.stream().mapToDouble(figure).sorted().toArray();
    return each[each.length / 2];
  }

  private static void settle() {
    await().pollDelay(SETTLING).atMost(SETTLING.multipliedBy(2)).until(() -> true);
  }

  private static void deploy(ServedEngine engine) throws IOException {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: test, name: sets, version: '1.0.0'}
        do:
          - set: {set: {n: 1}}
        """;
    Answer deployed = engine.post("/v1/definitions", "application/yaml", definition);
    assertEquals(201, deployed.status(), deployed.body());
  }

  private static List<Long> pids(ServedEngine engine) throws IOException {
    List<Long> pids = new ArrayList<>();
    engine.replicaStates().forEach(each -> pids.add(each.path("pid").asLong()));
    return pids;
  }

  private static long residentKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}

package dev.pinion.bootstrap.profile;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.serve.ServedEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in normal use, against real busy replicas. */
class ProfileServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Requests after which a new replica's initialisation is over. */
  private static final int WARM_UP = 20;

  private static final int CLIENTS = 4;
  private static final int ENOUGH_SAMPLES = 5;
  private static final int MOST_SECONDS = 64;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String BUSY =
      """
      document: { dsl: '1.0.0', namespace: test, name: busy, version: '1.0.0' }
      do:
        - count: { set: { sum: '${ [range(30000)] | map(. * 3) | add }' } }
      """;

  @TempDir private Path folder;

  @Test
  @Tag("long")
  void shouldShowWhatABusyEngineSpendsItsTimeOn() throws Exception {
    Path page = folder.resolve("page.html");
    Path json = folder.resolve("profile.json");
    Path difference = folder.resolve("difference.html");
    try (ServedEngine engine = ServedEngine.start(folder.resolve("data"), "--replicas", "2")) {
      engine.post("/v1/definitions", "application/yaml", BUSY);
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch warm = new CountDownLatch(WARM_UP);
      List<Thread> load = startLoad(() -> keepBusy(engine, warm, over));
      assertTrue(warm.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "requests are not answered");

      Ran ran = profileUntilSampled(engine, page, json);
      over.set(true);
      for (Thread client : load) {
        client.join();
      }

      assertTrue(ran.output().contains("CPU time by stage"), ran.output());
      assertTrue(ran.output().contains("test/busy/1.0.0 /do/0/count"), ran.output());
      assertEquals(List.of(), left(), "files of the profile are left");
    }
    JsonNode profile = JSON.readTree(json.toFile());
    assertEquals(List.of("replica 0", "replica 1"), processes(profile));
    double steps = cpu(profile, ProfileServedTest::isSampledStep);
    double busy = cpu(profile, row -> isSampledStep(row) && isOfBusy(row));
    assertTrue(
        busy > 0 && busy >= steps / 2,
        "of "
            + steps
            + " ns sampled in kernels and evaluators are "
            + busy
            + " for the only definition");
    assertEquals(busy, cpu(profile, row -> isSampledStep(row) && isOfBusy(row) && isGold(row)));
    assertTrue(Files.readString(page).contains("test/busy/1.0.0 /do/0/count"));

    Ran diff =
        pinion("profile", "diff", json.toString(), json.toString(), "--out", difference.toString());
    assertEquals(0, diff.status(), diff.output());
    assertTrue(diff.output().contains("+0.0  "), diff.output());
    assertTrue(Files.readString(difference).contains("test/busy/1.0.0 /do/0/count"));
  }

  private static List<Thread> startLoad(Runnable client) {
    List<Thread> clients =
        Stream.generate(() -> new Thread(client, "load")).limit(CLIENTS).toList();
    clients.forEach(Thread::start);
    return clients;
  }

  /** On a machine with other users, seconds may pass with hardly a sample of the task. */
  private Ran profileUntilSampled(ServedEngine engine, Path page, Path json) throws Exception {
    int seconds = 2;
    Ran ran = profile(seconds, engine, page, json);
    while (samplesOfCount(json) < ENOUGH_SAMPLES && seconds < MOST_SECONDS) {
      seconds *= 2;
      ran = profile(seconds, engine, page, json);
    }
    return ran;
  }

  private static int samplesOfCount(Path json) throws IOException {
    return rows(JSON.readTree(json.toFile()))
        .filter(row -> row.path("kind").asText().equals("cpu") && isOfBusy(row))
        .filter(row -> row.path("task").asText().equals("/do/0/count"))
        .mapToInt(row -> row.path("samples").asInt())
        .sum();
  }

  private Ran profile(int seconds, ServedEngine engine, Path page, Path json) throws Exception {
    Ran ran =
        pinion(
            "profile",
            "--admin",
            engine.admin().toString(),
            "--seconds",
            Integer.toString(seconds),
            "--out",
            page.toString(),
            "--json",
            json.toString());
    assertEquals(0, ran.status(), ran.output());
    return ran;
  }

  private static void keepBusy(ServedEngine engine, CountDownLatch warm, AtomicBoolean over) {
    try {
      while (!over.get()) {
        engine.post(
            "/v1/namespaces/test/definitions/busy/instances",
            "application/json",
            "{\"labels\":{\"pinion.class\":\"gold\"}}");
        warm.countDown();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOfBusy(JsonNode row) {
    return row.path("definition").asText().equals("test/busy/1.0.0");
  }

  private static boolean isGold(JsonNode row) {
    return row.path("class").asText().equals("gold");
  }

  /**
   * Leaves out a new engine's compilers and first calls, however slow the machine is, and rows
   * without a stack, which are known by their thread alone.
   */
  private static boolean isSampledStep(JsonNode row) {
    return row.path("samples").asInt() > 0
        && List.of("KERNEL", "EVALUATOR").contains(row.path("stage").asText());
  }

  private static List<String> processes(JsonNode profile) {
    return rows(profile).map(row -> row.path("process").asText()).distinct().sorted().toList();
  }

  private static double cpu(JsonNode profile, Predicate<JsonNode> wanted) {
    return rows(profile)
        .filter(row -> row.path("kind").asText().equals("cpu"))
        .filter(wanted)
        .mapToDouble(row -> row.path("amount").asDouble())
        .sum();
  }

  private static Stream<JsonNode> rows(JsonNode profile) {
    List<JsonNode> rows = new ArrayList<>();
    profile.path("rows").forEach(rows::add);
    return rows.stream();
  }

  @Test
  @Tag("long")
  void shouldLeaveNoRecordingAndNoFilesWhenKilled() throws Exception {
    Path json = folder.resolve("profile.json");
    try (ServedEngine engine = ServedEngine.start(folder.resolve("data"), "--broker", "on")) {
      Process killed =
          command("profile", "--admin", engine.admin().toString(), "--seconds", "600").start();
      await().atMost(PATIENCE).until(() -> left().size() == 1 && isRecording(left().getFirst()));

      killed.destroyForcibly().waitFor();

      await().atMost(PATIENCE).until(() -> left().isEmpty());
      // the one that notices first deletes the folder, so the other may still have to stop
      await().atMost(PATIENCE).until(() -> isProfiledWhole(engine, json));
    }
  }

  /** An idle process has no rows, but a process without a recording is reported. */
  private boolean isProfiledWhole(ServedEngine engine, Path json) throws Exception {
    Ran again =
        pinion(
            "profile",
            "--admin",
            engine.admin().toString(),
            "--seconds",
            "1",
            "--json",
            json.toString());
    assertEquals(0, again.status(), again.output());
    JsonNode notes = JSON.readTree(json.toFile()).path("notes");
    assertTrue(notes.isArray(), notes::toString);
    return !notes.toString().contains("is missing");
  }

  @Test
  void shouldTellWhatIsWrong() throws Exception {
    Ran nobody = pinion("profile", "--admin", "http://127.0.0.1:1");
    assertEquals(69, nobody.status(), nobody.output());
    Ran tooLong = pinion("profile", "--seconds", "601");
    assertEquals(2, tooLong.status(), tooLong.output());
    assertTrue(tooLong.output().contains("expected --seconds of 1 to 600, found 601"));
    Ran none = pinion("profile", "diff", "none.json", "none.json");
    assertEquals(66, none.status(), none.output());
  }

  /** False also while other files come and go: it is called again. */
  private boolean isRecording(Path run) throws IOException {
    try (Stream<Path> all = Files.walk(run)) {
      return all.anyMatch(each -> each.toString().endsWith(".jfr"));
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return false;
      }
      throw e;
    }
  }

  /** Private folders of profiles. */
  private List<Path> left() throws IOException {
    try (Stream<Path> all = Files.list(temporary())) {
      return all.filter(each -> each.getFileName().toString().startsWith("pinion-profile-"))
          .toList();
    }
  }

  private Path temporary() throws IOException {
    return Files.createDirectories(folder.resolve("temporary"));
  }

  private record Ran(int status, String output) {}

  private Ran pinion(String... words) throws IOException, InterruptedException {
    Process process = command(words).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), output);
    return new Ran(process.exitValue(), output);
  }

  private ProcessBuilder command(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary(),
                "-Dpinion.log.level=WARN",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.pinion.bootstrap.PinionMain"));
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }
}
